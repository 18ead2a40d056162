import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { ControlQueue } from '../../src/front/control-queue.js';
import { createRing, RecordKind, RingConsumer, RingProducer } from '../../src/ring/index.js';

const start = (limit: number) => {
  const ring = createRing(1024);
  const producer = new RingProducer(ring);
  const consumer = new RingConsumer(ring);
  let queued = 0;
  const queue = new ControlQueue(producer, limit, () => queued++);
  const read = (): [number, number][] => {
    const seen: [number, number][] = [];
    consumer.drain((kind, slot) => {
      seen.push([kind, slot]);
    });
    consumer.release();
    return seen;
  };
  return { producer, queue, read, queued: () => queued };
};
const payload = new Uint8Array(300);

t.test('what finds no room waits, and follows by itself in order', async (t) => {
  const { queue, read, queued } = start(10_000);
  for (let slot = 0; slot < 8; slot++) t.ok(queue.write(RecordKind.text, slot, payload));
  t.ok(queue.length > 0);
  t.equal(queued(), queue.length);
  const seen: number[] = [];
  while (seen.length < 8) {
    seen.push(...read().map(([, slot]) => slot));
    await delay(4);
  }
  t.same(seen, [0, 1, 2, 3, 4, 5, 6, 7]);
  t.equal(queue.length, 0);
});

t.test('a waiting record keeps the bytes it was given', async (t) => {
  const ring = createRing(1024);
  const consumer = new RingConsumer(ring);
  const queue = new ControlQueue(new RingProducer(ring), 10_000, () => undefined);
  const reused = new Uint8Array(400);
  const got: number[] = [];
  for (let value = 1; value <= 5; value++) queue.write(RecordKind.text, 0, reused.fill(value));
  reused.fill(99);
  while (got.length < 5) {
    consumer.drain((_kind, _slot, offset) => {
      got.push(consumer.data[offset]!);
    });
    consumer.release();
    queue.flush();
  }
  t.same(got, [1, 2, 3, 4, 5]);
  queue.clear();
});

t.test('over the limit opens and texts are refused, closes and drains never', async (t) => {
  const { queue, read } = start(600);
  const taken = Array.from({ length: 8 }, () => queue.write(RecordKind.text, 0, payload));
  t.same(taken.slice(-2), [false, false]);
  t.equal(queue.write(RecordKind.open, 1, payload), false);
  t.equal(queue.write(RecordKind.close, 2, payload), true);
  t.equal(queue.write(RecordKind.drain, 0, new Uint8Array(0)), true);
  const seen: [number, number][] = [];
  while (queue.length > 0) {
    seen.push(...read());
    queue.flush();
  }
  seen.push(...read());
  t.same(seen.slice(-2), [
    [RecordKind.close, 2],
    [RecordKind.drain, 0],
  ]);
  t.equal(seen.length, taken.filter(Boolean).length + 2);
});

t.test('a cleared queue forgets what waited and tries no more', async (t) => {
  const { queue, read } = start(10_000);
  for (let slot = 0; slot < 8; slot++) queue.write(RecordKind.text, slot, payload);
  const inRing = 8 - queue.length;
  queue.clear();
  t.equal(queue.length, 0);
  t.equal(read().length, inRing);
  await delay(10);
  t.equal(read().length, 0);
});
