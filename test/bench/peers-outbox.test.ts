/** Frames reach a worker unchanged, for any size and number of frames per turn. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { type FrameBatch, Outbox, unpack } from '../../bench/peers/node/outbox.js';

type Frame = readonly [stream: number, bytes: number[], arrivedAt: number];

const unpacked = (batches: readonly FrameBatch[]): Frame[] => {
  const found: Frame[] = [];
  for (const batch of batches) unpack(batch, (stream, bytes, at) => found.push([stream, [...bytes], at]));
  return found;
};

t.test('frames leave the outbox in the order in which they came', async (t) => {
  const frame = fc.tuple(fc.nat(), fc.array(fc.nat(255), { maxLength: 8 }), fc.double({ noNaN: true }));
  const kept = fc.property(fc.array(frame, { maxLength: 40 }), (frames) => {
    const batches: FrameBatch[] = [];
    const outbox = new Outbox((batch) => batches.push(batch));
    for (const [stream, bytes, at] of frames) outbox.add(stream, Uint8Array.from(bytes), at);
    outbox.flush();
    return batches.length === (frames.length > 0 ? 1 : 0) && isDeepStrictEqual(unpacked(batches), frames);
  });
  t.doesNotThrow(() => fc.assert(kept));
});

t.test('frames that exceed one message are sent in several messages', async (t) => {
  const cases: readonly [name: string, sizes: number[], batches: number][] = [
    ['bytes', Array(5).fill(20_000), 2],
    ['frames', Array(2500).fill(3), 3],
    ['a frame larger than all', [3, 100_000, 3], 3],
  ];
  for (const [name, sizes, count] of cases) {
    const batches: FrameBatch[] = [];
    const outbox = new Outbox((batch) => batches.push(batch));
    for (const [i, size] of sizes.entries()) outbox.add(i, new Uint8Array(size).fill(i), i);
    outbox.flush();
    t.equal(batches.length, count, name);
    const found = unpacked(batches);
    t.same(
      found.map(([stream, bytes]) => [stream, bytes.length]),
      sizes.map((size, i) => [i, size]),
      name,
    );
    t.ok(
      found.every(([stream, bytes]) => bytes.every((byte) => byte === stream % 256)),
      name,
    );
  }
});

t.test('the outbox sends at the next turn of the event loop', async (t) => {
  const source = Uint8Array.of(1, 2, 3);
  const sent = new Promise<FrameBatch>((resolve) => {
    new Outbox(resolve).add(7, source, 1.5);
  });
  source.fill(0);
  t.same(unpacked([await sent]), [[7, [1, 2, 3], 1.5]], 'a copy');
});
