import t from 'tap';
import { batchStride } from '../../../src/audio/interface/core.js';
import { StreamClock } from '../../../src/engine/session/stream-clock.js';
import { Committer } from '../../../src/engine/shared/committer.js';
import { FrameBatch } from '../../../src/engine/shared/frame-batch.js';
import { Outbox } from '../../../src/engine/shared/outbox.js';
import type { ConversationChange, Durability } from '../../../src/journal/journal.js';
import type { ShardMessage } from '../../../src/wire/stream.js';

t.test('a stream clock follows wall time over pauses', async (t) => {
  const clock = new StreamClock();
  t.equal(clock.wallOf(16_000, 42), 42, 'nothing is known before the first frame');
  clock.anchor(0, 1_000_000);
  clock.anchor(160_000, 1_070_000);
  const cases = [
    { sample: 0, wall: 1_000_000 },
    { sample: 16_000, wall: 1_001_000 },
    { sample: 159_999, wall: 1_009_999.9375 },
    { sample: 160_000, wall: 1_070_000 },
    { sample: 176_000, wall: 1_071_000 },
  ];
  for (const { sample, wall } of cases) t.equal(clock.wallOf(sample, 0), wall);
  t.equal(clock.startedAt, 1_000_000);
});

t.test('a stream clock forgets old pauses and limits its memory', async (t) => {
  const clock = new StreamClock();
  for (let pause = 0; pause < 100; pause++) clock.anchor(pause * 1600, pause * 60_000);
  t.equal(clock.wallOf(99 * 1600 + 16, 0), 99 * 60_000 + 1);
  t.equal(clock.startedAt, 0);
});

const change = (id: string): ConversationChange => ({
  lease: { conversationId: id, uid: 'u', epoch: 1 },
  lastSpeechAt: 0,
  upserts: [],
  deletions: [],
});

t.test('a failed group delays no other, and each change gets its own outcome', async (t) => {
  const groups: string[][] = [];
  const committer = new Committer({
    commit: async (changes) => {
      groups.push(changes.map(({ lease }) => lease.conversationId));
      if (groups.length === 1) throw new Error('disk');
      return new Map(
        changes.map(({ lease: { conversationId: id } }): [string, Durability] => [
          id,
          id === 'c' ? 'fenced' : 'database',
        ]),
      );
    },
  });
  const first = Promise.allSettled([committer.commit(change('a')), committer.commit(change('b'))]);
  t.ok((await first).every(({ status }) => status === 'rejected'));
  t.same(await Promise.all(['a', 'b', 'c'].map((id) => committer.commit(change(id)))), [
    'database',
    'database',
    'fenced',
  ]);
  t.same(groups, [
    ['a', 'b'],
    ['a', 'b', 'c'],
  ]);
});

t.test('sends messages of one event-loop iteration as one array, in order', async (t) => {
  const posts: ShardMessage[][] = [];
  const outbox = new Outbox({ postMessage: (messages) => posts.push(messages) });
  const to = { slot: 1, generation: 2 };
  outbox.send(to, 'a');
  outbox.send(to, 'b');
  outbox.close(to, 1008, 'no', false);
  outbox.released(to);
  await Promise.resolve();
  outbox.drained();
  await Promise.resolve();
  t.same(
    posts.map((messages) => messages.map(({ kind }) => kind)),
    [['send', 'send', 'close', 'released'], ['drained']],
  );
  outbox.flush();
  t.equal(posts.length, 2, 'nothing is posted twice');
});

t.test('a batch accepts eight frames or 8 KiB of one stream', async (t) => {
  const pushes: number[][] = [];
  const batch = new FrameBatch(
    { push: (frames, count) => pushes.push([...frames.subarray(0, count * batchStride)]) },
    4,
  );
  for (let frame = 1; frame <= 8; frame++) {
    t.ok(batch.takes(0));
    t.notOk(batch.add(0, frame, 80, 0));
  }
  t.notOk(batch.takes(0), 'eight frames');
  batch.add(1, 100, 8191, 77);
  t.ok(batch.takes(1));
  batch.add(1, 101, 1, 0);
  t.notOk(batch.takes(1), '8 KiB');
  batch.push(0);
  t.equal(pushes[0]?.length, 10 * batchStride);
  t.same(pushes[0]?.slice(8 * batchStride, 9 * batchStride), [1, 100, 8191, 77], 'frames keep their order');
  t.notOk(batch.takes(0), 'a control record in between brings no more');
  batch.renew();
  t.ok(batch.takes(0), 'the next pass does');
  batch.push(0);
  t.equal(pushes.length, 1, 'an empty batch is not pushed');
});

t.test('a batch reports when it is full', async (t) => {
  const batch = new FrameBatch({ push: () => undefined }, 4096);
  for (let stream = 0; stream < 4095; stream++) batch.add(stream, 0, 1, 0);
  t.ok(batch.add(4095, 0, 1, 0));
});
