/** Tests the queue of imported files: order, progress, failures and cancelling. The test moves the clock. */
import t from 'tap';
import { localTime, sizeIn } from '../../../src/console/importing/file-facts.js';
import {
  type Accepted,
  type ImportItem,
  ImportQueue,
  type Progress,
  type Transport,
} from '../../../src/console/importing/import-queue.js';

interface Sound {
  readonly name: string;
  readonly size: number;
}

const accepted: Accepted = { job_id: 'job', poll_after_ms: 5000, errors: [] };
const progress: Progress = {
  status: 'completed',
  new_memories: ['new'],
  updated_memories: ['earlier', 'new'],
  poll_after_ms: 0,
  errors: [],
};
const file = (name: string): { file: Sound; startedAt: string } => ({
  file: { name, size: 1 },
  startedAt: '2026-03-02T09:00:00.000Z',
});

/** Waits until all promises that can settle now have settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const queueOf = (answers: Partial<Transport<Sound>>) => {
  const log: string[] = [];
  const waits: number[] = [];
  let items: readonly ImportItem<Sound>[] = [];
  const queue = new ImportQueue<Sound>(
    {
      send: async ({ name }) => {
        log.push(name);
        return accepted;
      },
      progress: async () => progress,
      wait: async (ms) => {
        waits.push(ms);
      },
      isPassing: (error) => (error as Error).message === 'passing',
      ...answers,
    },
    (next) => {
      items = next;
    },
  );
  return { queue, log, waits, states: () => items.map(({ state }) => state), items: () => items };
};

t.test('files are sent one after another, and followed to their conversations', async (t) => {
  const open: (() => void)[] = [];
  let most = 0;
  let now = 0;
  const { queue, states, waits } = queueOf({
    send: (_file, _start, sent) => {
      most = Math.max(most, ++now);
      sent(0.5);
      return new Promise((resolve) =>
        open.push(() => {
          now--;
          resolve(accepted);
        }),
      );
    },
  });
  queue.add([file('a'), file('b')]);
  t.same(states(), [{ kind: 'sending', sent: 0.5 }, { kind: 'waiting' }]);
  t.ok(queue.isSending);
  open[0]!();
  await settled();
  t.same(states(), [
    { kind: 'done', conversations: ['new', 'earlier'], incomplete: null },
    { kind: 'sending', sent: 0.5 },
  ]);
  open[1]!();
  await settled();
  t.match(states(), [{ kind: 'done' }, { kind: 'done' }]);
  t.same([most, waits], [1, [5000, 5000]]);
  t.notOk(queue.isSending);
});

t.test('refused and failed files say why, and are sent again', async (t) => {
  const errors = [{ message: 'It is too long.', remedy: 'Cut it.' }];
  let answer: () => Promise<Accepted> = async () => ({ ...accepted, job_id: null, errors });
  let status: Progress['status'] = 'completed';
  const { queue, states, items } = queueOf({
    send: () => answer(),
    progress: async () => ({ ...progress, status, errors }),
  });
  queue.add([file('a')]);
  await settled();
  t.same(states(), [{ kind: 'failed', why: 'It is too long. Cut it.' }]);
  answer = async () => {
    throw new Error('Too many uploads are in progress');
  };
  queue.retry(items()[0]!.id);
  await settled();
  t.same(states(), [{ kind: 'failed', why: 'Too many uploads are in progress.' }]);
  answer = async () => accepted;
  status = 'failed';
  queue.retry(items()[0]!.id);
  await settled();
  t.same(states(), [{ kind: 'failed', why: 'It is too long. Cut it.' }]);
  status = 'completed';
  queue.retry(items()[0]!.id);
  await settled();
  t.match(states(), [{ kind: 'done' }]);
  queue.retry(items()[0]!.id);
  t.match(states(), [{ kind: 'done' }], 'only failed files are sent again');
});

t.test('a cancelled file leaves, and the next one follows', async (t) => {
  const { queue, states, items } = queueOf({
    send: ({ name }, _start, _sent, signal) =>
      name === 'b'
        ? Promise.resolve(accepted)
        : new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('left'))),
          ),
  });
  queue.add([file('a'), file('b'), file('c')]);
  queue.remove(items()[2]!.id);
  queue.remove(items()[0]!.id);
  await settled();
  t.match(states(), [{ kind: 'done' }]);
  t.equal(items()[0]!.file.name, 'b');
});

t.test('files that are not sent yet are cancelled together', async (t) => {
  const { queue, items } = queueOf({
    send: ({ name }) => (name === 'a' ? Promise.resolve(accepted) : new Promise(() => undefined)),
    wait: () => new Promise(() => undefined),
  });
  queue.add([file('a'), file('b'), file('c')]);
  await settled();
  queue.cancelUnsent();
  t.match(items(), [{ file: { name: 'a' }, state: { kind: 'transcribing' } }]);
  t.notOk(queue.isSending);
});

t.test('progress that cannot be read for a while is asked for again', async (t) => {
  const answers: (Error | Progress)[] = [
    new Error('passing'),
    { ...progress, status: 'processing', poll_after_ms: 700 },
    new Error('passing'),
    { ...progress, incomplete: 'it ends early' },
  ];
  const { queue, states, waits } = queueOf({
    progress: async () => {
      const next = answers.shift()!;
      if (next instanceof Error) throw next;
      return next;
    },
  });
  queue.add([file('a')]);
  await settled();
  t.match(states(), [{ kind: 'done', incomplete: 'it ends early' }]);
  t.same(waits, [5000, 5000, 700, 5000]);
  const forever = queueOf({
    progress: async () => {
      throw new Error('passing');
    },
  });
  forever.queue.add([file('a')]);
  await settled();
  t.match(forever.states(), [{ kind: 'failed' }]);
  t.equal(forever.waits.length, 21);
});

t.test('facts of files', async (t) => {
  t.equal(new Date(localTime(1_700_000_000_000)).getTime(), 1_700_000_000_000);
  t.same([sizeIn(1), sizeIn(209_715_200)], ['1 kB', '209.7 MB']);
});
