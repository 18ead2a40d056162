import fc from 'fast-check';
import t from 'tap';
import { ControlQueue } from '../../../src/front/shards/control-queue.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { createRing, RingConsumer, RingProducer } from '../../../src/ring/ring.js';
import { until } from '../../support/until.js';

const start = (
  limit: number,
  { size = 1024, limitPerSlot = limit, audioLimit = limit, audioLimitPerSlot = limit } = {},
) => {
  const ring = createRing(size);
  const producer = new RingProducer(ring);
  const consumer = new RingConsumer(ring);
  let queued = 0;
  let framesQueued = 0;
  const queue = new ControlQueue(producer, {
    limit,
    limitPerSlot,
    audioLimit,
    audioLimitPerSlot,
    onQueued: () => queued++,
    onFrameQueued: () => framesQueued++,
  });
  const read = (): [number, number][] => {
    const seen: [number, number][] = [];
    consumer.drain((kind, slot) => {
      seen.push([kind, slot]);
    });
    consumer.release();
    return seen;
  };
  return { producer, queue, read, queued: () => queued, framesQueued: () => framesQueued };
};
const payload = new Uint8Array(300);
/** Checks whether a queue accepts a record. */
const takes = (queue: ControlQueue, kind: number, slot: number, bytes: Uint8Array): boolean =>
  queue.write(kind, slot, bytes) === 'taken';

t.test('queues records for a full ring and writes them in order', async (t) => {
  const { queue, read, queued } = start(10_000);
  for (let slot = 0; slot < 8; slot++) t.ok(takes(queue, RecordKind.text, slot, payload));
  t.ok(queue.length > 0);
  t.equal(queued(), queue.length);
  const seen: number[] = [];
  await until(() => {
    seen.push(...read().map(([, slot]) => slot));
    return seen.length >= 8;
  });
  t.same(seen, [0, 1, 2, 3, 4, 5, 6, 7]);
  t.equal(queue.length, 0);
});

t.test('a waiting record keeps its bytes', async (t) => {
  const ring = createRing(1024);
  const consumer = new RingConsumer(ring);
  const queue = new ControlQueue(new RingProducer(ring), {
    limit: 10_000,
    limitPerSlot: 10_000,
    audioLimit: 0,
    audioLimitPerSlot: 0,
    onQueued: () => undefined,
    onFrameQueued: () => undefined,
  });
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

t.test("refuses opens and texts over a slot's limit, but never closes and drains", async (t) => {
  const { queue, read } = start(1200);
  const taken = Array.from({ length: 8 }, () => takes(queue, RecordKind.text, 0, payload));
  t.same(taken.slice(-2), [false, false]);
  t.notOk(takes(queue, RecordKind.open, 0, payload));
  t.ok(takes(queue, RecordKind.close, 2, payload));
  t.ok(takes(queue, RecordKind.drain, 0, new Uint8Array(0)));
  const seen: [number, number][] = [];
  while (queue.length > 0) {
    seen.push(...read());
    queue.flush();
  }
  seen.push(...read());
  t.same(
    seen.filter(([kind]) => kind === RecordKind.close),
    [[RecordKind.close, 2]],
  );
  t.same(seen.at(-1), [RecordKind.drain, 0], 'nothing follows a drain');
  t.equal(seen.length, taken.filter(Boolean).length + 2);
});

t.test('queued texts of one slot leave ring space to others and stay in order with its frames', async (t) => {
  const { queue, read } = start(1 << 20, { size: 65_536, limitPerSlot: 131_072 });
  const text = new Uint8Array(4000);
  const flood = 20;
  for (let count = 0; count < flood; count++) t.ok(takes(queue, RecordKind.text, 1, text));
  t.ok(queue.length > 0, 'most of it waits');
  t.ok(queue.writeFrame(RecordKind.audio, 1, new ArrayBuffer(60), 0));
  for (let frame = 0; frame < 300; frame++)
    t.ok(queue.writeFrame(RecordKind.audio, 2, new ArrayBuffer(60), 0));
  t.ok(takes(queue, RecordKind.open, 3, payload));
  t.ok(takes(queue, RecordKind.text, 2, payload));
  t.ok(takes(queue, RecordKind.close, 2, payload));

  const first = read();
  t.ok(first.filter(([, slot]) => slot === 1).length <= 2, 'an eighth of the ring');
  t.same(
    first.filter(([, slot]) => slot !== 1),
    [
      ...new Array(300).fill([RecordKind.audio, 2]),
      [RecordKind.open, 3],
      [RecordKind.text, 2],
      [RecordKind.close, 2],
    ],
    'the others wait for nothing',
  );
  const seen = [...first];
  while (queue.length > 0) {
    queue.flush();
    seen.push(...read());
  }
  t.same(
    seen.filter(([, slot]) => slot === 1),
    [...new Array(flood).fill([RecordKind.text, 1]), [RecordKind.audio, 1]],
    'in their order, none lost',
  );
});

t.test("refuses records over a slot's share, but not its close or other slots", async (t) => {
  const { queue } = start(1 << 20, { size: 65_536, limitPerSlot: 32_768, audioLimitPerSlot: 4000 });
  const text = new Uint8Array(4000);
  let taken = 0;
  while (takes(queue, RecordKind.text, 1, text)) taken++;
  t.equal(taken, 2 + Math.floor(32_768 / 4128));
  t.equal(queue.write(RecordKind.text, 1, text), 'slot_full');
  t.equal(queue.writeFrame(RecordKind.audio, 1, new ArrayBuffer(4000), 0), false, 'its audio is dropped');
  t.ok(takes(queue, RecordKind.text, 2, text));
  t.ok(takes(queue, RecordKind.open, 3, payload));
  t.ok(takes(queue, RecordKind.close, 1, payload));
  queue.clear();
});

t.test('audio waits while the ring is full; slots take turns, and each keeps its order', async (t) => {
  const ring = createRing(1024);
  const consumer = new RingConsumer(ring);
  const options = { limit: 10_000, limitPerSlot: 10_000, audioLimit: 10_000, audioLimitPerSlot: 5000 };
  let waited = 0;
  const queue = new ControlQueue(new RingProducer(ring), {
    ...options,
    onQueued: () => undefined,
    onFrameQueued: () => waited++,
  });
  const got: (readonly [slot: number, number: number, arrival: number])[] = [];
  const read = (): void => {
    consumer.drain((_kind, slot, offset, _length, arrival) => {
      got.push([slot, consumer.data[offset]!, arrival]);
    });
    consumer.release();
  };
  const frame = (number: number): Uint8Array => new Uint8Array(100).fill(number);
  for (let number = 0; number < 12; number++)
    t.ok(queue.writeFrame(RecordKind.audio, 1, frame(number), 1000 + number));
  t.ok(queue.writeFrame(RecordKind.audio, 2, frame(0), 2000));
  t.ok(takes(queue, RecordKind.close, 1, new Uint8Array(4).fill(12)), 'the close waits behind the audio');
  t.equal(waited, queue.length - 1);
  t.ok(waited > 4);
  const inRing = 13 - waited;
  while (queue.length > 0) {
    read();
    queue.flush();
  }
  read();
  const numbers = (wanted: number): number[] =>
    got.filter(([slot]) => slot === wanted).map(([, number]) => number);
  t.same(
    numbers(1),
    Array.from({ length: 13 }, (_, number) => number),
  );
  t.ok(got.findIndex(([slot]) => slot === 2) <= inRing + 1, 'the other slot is served after one frame');
  t.same(got.find(([slot, number]) => slot === 1 && number === 11)?.[2], 1011, 'with its arrival');
});

t.test('audio over its limits is refused, and takes no space of control records', async (t) => {
  const bytes = new ArrayBuffer(872);
  const { queue } = start(2000, { size: 1024, audioLimit: 13_000, audioLimitPerSlot: 6500 });
  const taken = (slot: number): number => {
    let count = 0;
    while (queue.writeFrame(RecordKind.audio, slot, bytes, 0)) count++;
    return count;
  };
  // The ring takes the first frame.
  t.equal(taken(1), 1 + 6);
  t.equal(taken(2), 6, 'a slot has no part in the space of another one');
  t.equal(taken(3), 4, 'the guaranteed space, because the shared space is used up');
  for (const slot of [1, 2, 3, 4]) t.ok(takes(queue, RecordKind.text, slot, new Uint8Array(200)));
  t.ok(takes(queue, RecordKind.close, 1, payload));
  queue.clear();
  t.equal(taken(1), 6, 'a cleared queue has space again');
  queue.clear();
});

t.test('accepts a small record of each slot even when the shared space is used up', async (t) => {
  const { queue } = start(20_000, { size: 65_536, limitPerSlot: 20_000 });
  const text = new Uint8Array(4000);
  for (let slot = 1; slot <= 6; slot++) while (takes(queue, RecordKind.text, slot, text));
  t.equal(queue.write(RecordKind.text, 7, text), 'shard_full', 'not for what it has sent itself');
  t.ok(takes(queue, RecordKind.text, 7, payload));
  t.ok(takes(queue, RecordKind.open, 8, payload));
  queue.clear();
});

t.test("writes every slot's records once and in order, for any sequence of calls", async (t) => {
  const kinds = [RecordKind.open, RecordKind.text, RecordKind.close, RecordKind.audio] as const;
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom(...kinds), fc.nat(3), fc.integer({ min: 2, max: 400 })),
    },
    { weight: 2, arbitrary: fc.constant('read' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const ring = createRing(2048);
      const consumer = new RingConsumer(ring);
      const producer = new RingProducer(ring);
      const queue = new ControlQueue(producer, {
        limit: 6000,
        limitPerSlot: 3000,
        audioLimit: 4000,
        audioLimitPerSlot: 1500,
        onQueued: () => undefined,
        onFrameQueued: () => undefined,
      });
      const sent: number[][] = [[], [], [], []];
      const got: number[][] = [[], [], [], []];
      const read = (): void => {
        consumer.drain((_kind, slot, offset) => {
          got[slot]!.push(consumer.data[offset]! | (consumer.data[offset + 1]! << 8));
        });
        consumer.release();
      };
      steps.forEach((one, number) => {
        if (one === 'read') {
          read();
          return;
        }
        const [kind, slot, length] = one;
        const bytes = new Uint8Array(length);
        bytes[0] = number & 0xff;
        bytes[1] = number >> 8;
        const taken =
          kind === RecordKind.audio
            ? queue.writeFrame(RecordKind.audio, slot, bytes.buffer, 0)
            : takes(queue, kind, slot, bytes);
        if (kind === RecordKind.close && !taken) throw new Error('a close was refused');
        if (taken) sent[slot]!.push(number);
      });
      read();
      for (let turn = 0; queue.length > 0; turn++) {
        if (turn > 1000) throw new Error('something waits for ever');
        queue.flush();
        read();
      }
      queue.clear();
      t.strictSame(got, sent);
    }),
    { numRuns: 200 },
  );
});

t.test('a cleared queue drops waiting records and stops retrying', async (t) => {
  const { queue, read } = start(10_000);
  for (let slot = 0; slot < 8; slot++) queue.write(RecordKind.text, slot, payload);
  const inRing = 8 - queue.length;
  queue.clear();
  t.equal(queue.length, 0);
  t.equal(read().length, inRing);
  // A second queue is not cleared, and writes all its records by retrying. Then the retry time of the cleared queue has
  // passed, too.
  const other = start(10_000);
  const seen: number[] = [];
  for (let slot = 0; slot < 8; slot++) other.queue.write(RecordKind.text, slot, payload);
  await until(() => {
    seen.push(...other.read().map(([, slot]) => slot));
    return seen.length >= 8;
  });
  t.equal(read().length, 0);
});
