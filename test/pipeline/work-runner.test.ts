/** Workers start added jobs at once, even if they are just checking the queue. */
import t from 'tap';
import { createLogger } from '../../src/log/logger.js';
import type { Queue, StepJob, TakenJob } from '../../src/pipeline/turns/queue.js';
import { runWorkers } from '../../src/pipeline/turns/work-runner.js';
import { Signal } from '../../src/pipeline/work/signal.js';

const log = createLogger('test', 'silent');
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const jobOf = (key: string): TakenJob<StepJob> => ({
  jobId: key,
  job: { step: 'memories', key, run: 1, attempt: 0 },
});

t.test('wakes sleeping workers and workers that are checking', async (t) => {
  // Timers never fire, so no poll interval passes. So every job starts because a worker was woken.
  const { setTimeout: realTimeout } = globalThis;
  globalThis.setTimeout = (() => undefined) as unknown as typeof setTimeout;
  t.teardown(() => {
    globalThis.setTimeout = realTimeout;
  });
  const waiting: TakenJob<StepJob>[] = [];
  const begun: string[] = [];
  const work = new Signal();
  let closing = false;
  /** Functions that release the queue's answers and the ends of jobs. */
  let gates: (() => void)[] | undefined;
  const gate = (): Promise<void> | undefined => gates && new Promise((resolve) => gates!.push(resolve));
  const openGates = (): void => {
    const held = gates ?? [];
    gates = undefined;
    for (const open of held) open();
  };
  const queue = {
    async take(_name: 'step', most: number) {
      const found = waiting.splice(0, most);
      await gate();
      return found;
    },
    complete: async () => undefined,
  } as unknown as Queue;
  let ends: (() => void)[] = [];
  const running = runWorkers({
    queue,
    name: 'step',
    workers: 4,
    work,
    closing: () => closing,
    log,
    run({ key }) {
      begun.push(key);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  };
  const endJobs = async (): Promise<void> => {
    const held = ends;
    ends = [];
    for (const end of held) end();
    await settle();
  };
  const add = (...keys: string[]): void => void waiting.push(...keys.map(jobOf));

  await settle();
  add('a');
  work.wake();
  await settle();
  t.same(begun, ['a']);

  gates = [];
  await endJobs();
  t.equal(gates.length, 1, 'one worker looks, and the others sleep');
  add('b', 'c', 'd');
  work.wake();
  await settle();
  openGates();
  await settle();
  t.same(begun, ['a', 'b', 'c', 'd'], 'what came while it looked is begun by those who were woken');

  await endJobs();

  // One worker finishes a job and finds more jobs than it can do. The others sleep.
  add('g');
  work.wake();
  await settle();
  add('h', 'i', 'j');
  await endJobs();
  t.same(begun.slice(4), ['g', 'h', 'i', 'j'], 'those who sleep are woken for what one has found');

  closing = true;
  work.wake();
  await endJobs();
  await running;
});
