import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import t from 'tap';
import { ringAge, ringClock, ringTicks, ticksBetween, ticksPerSecond } from '../../src/ring/clock.js';
import { HeaderWord, headerBytes, RecordKind } from '../../src/ring/layout.js';
import { createRing, largestPayload, RingConsumer, RingProducer } from '../../src/ring/ring.js';

const size = 1024;

interface Seen {
  kind: number;
  slot: number;
  bytes: number[];
  arrival: number;
}

const readAll = (consumer: RingConsumer): Seen[] => {
  const seen: Seen[] = [];
  consumer.drain((kind, slot, offset, length, arrival) => {
    seen.push({ kind, slot, bytes: [...consumer.data.subarray(offset, offset + length)], arrival });
  });
  return seen;
};

type Step =
  | { do: 'write'; kind: number; slot: number; bytes: Uint8Array; arrival: number; bare: boolean }
  | { do: 'drain'; most: number }
  | { do: 'release' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('write' as const),
        kind: fc.integer({ min: 1, max: 5 }),
        slot: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        bytes: fc.uint8Array({ maxLength: 400 }),
        arrival: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        bare: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('drain' as const), most: fc.integer({ min: 1, max: 20 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const) }) },
  ),
  { maxLength: 200 },
);

t.test('a ring hands over exactly what was accepted, in order, whatever the interleaving', async (t) => {
  fc.assert(
    // Positions that start near 2^32 also wrap.
    fc.property(steps, fc.constantFrom(0, 8, size - 8, 2 ** 32 - 64, 2 ** 31 - 32), (script, origin) => {
      const ring = createRing(size);
      const words = new Int32Array(ring);
      words[0] = origin | 0;
      words[16] = origin | 0;
      const producer = new RingProducer(ring);
      const consumer = new RingConsumer(ring);
      const accepted: Seen[] = [];
      const held: Seen[] = [];
      const delivered: Seen[] = [];
      for (const step of script) {
        if (step.do === 'write') {
          const { kind, slot, bytes, arrival } = step;
          const before = producer.free();
          const ok = step.bare
            ? producer.write(kind, slot, bytes.slice().buffer, arrival)
            : producer.write(kind, slot, bytes, arrival);
          if (ok) accepted.push({ kind, slot, bytes: [...bytes], arrival });
          else if (before === size && bytes.length <= largestPayload(size)) return false;
          if (!ok && producer.free() !== before) return false;
        } else if (step.do === 'drain') {
          let left = step.most;
          consumer.drain((kind, slot, offset, length, arrival) => {
            const record = {
              kind,
              slot,
              bytes: [...consumer.data.subarray(offset, offset + length)],
              arrival,
            };
            delivered.push(record);
            held.push(record);
            return --left > 0;
          });
        } else {
          consumer.release();
          held.length = 0;
        }
      }
      delivered.push(...readAll(consumer));
      consumer.release();
      t.equal(consumer.fill(), 0);
      return JSON.stringify(delivered) === JSON.stringify(accepted);
    }),
    { numRuns: 500 },
  );
});

t.test('records keep their bytes until they are released', async (t) => {
  const ring = createRing(size);
  const producer = new RingProducer(ring);
  const consumer = new RingConsumer(ring);
  const places: number[] = [];
  let written = 0;
  while (producer.write(RecordKind.audio, written, new Uint8Array(100).fill(written), 0)) written++;
  consumer.drain((_kind, _slot, offset) => {
    places.push(offset);
  });
  t.equal(places.length, written);
  t.equal(
    producer.write(RecordKind.audio, 99, new Uint8Array(100).fill(0xee), 0),
    false,
    'full until released',
  );
  for (const [index, place] of places.entries()) t.equal(consumer.data[place + 99], index);
  t.ok(consumer.fill() > 0.85);
  consumer.release();
  t.equal(consumer.fill(), 0);
  t.equal(producer.write(RecordKind.audio, 99, new Uint8Array(100), 0), true);
});

t.test('a payload of the largest size fits an empty ring at every position', async (t) => {
  for (let start = 0; start < size; start += 8) {
    const ring = createRing(size);
    new Int32Array(ring)[0] = start;
    new Int32Array(ring)[16] = start;
    const producer = new RingProducer(ring);
    if (!producer.write(RecordKind.text, 1, new Uint8Array(largestPayload(size)), 0)) t.fail(`at ${start}`);
  }
  t.pass('every position');
});

t.test('a visitor that throws loses no record and repeats none', async (t) => {
  const ring = createRing(size);
  const producer = new RingProducer(ring);
  const consumer = new RingConsumer(ring);
  for (let slot = 0; slot < 3; slot++) producer.write(RecordKind.audio, slot, new Uint8Array(4), 0);
  t.throws(() =>
    consumer.drain(() => {
      throw new Error('visitor');
    }),
  );
  t.same(
    readAll(consumer).map(({ slot }) => slot),
    [1, 2],
  );
});

t.test('sizes that are no power of two are refused', async (t) => {
  for (const bytes of [0, 512, 1000, 1025, 2 ** 31, Number.NaN])
    t.throws(() => createRing(bytes), RangeError);
  t.equal(createRing(1024).byteLength, headerBytes + 1024);
});

t.test('wait ends by data, by wake, by timeout, and at once when data is there', async (t) => {
  const ring = createRing(size);
  const producer = new RingProducer(ring);
  const consumer = new RingConsumer(ring);
  const byData = consumer.wait(60_000);
  await turn();
  producer.write(RecordKind.audio, 7, new Uint8Array(1), 0);
  await byData;
  await consumer.wait(60_000);
  t.same(
    readAll(consumer).map(({ slot }) => slot),
    [7],
  );
  const byWake = consumer.wait(60_000);
  consumer.wake();
  await byWake;
  t.equal(await consumer.wait(1), true, 'it waited');
  consumer.wake();
  t.equal(readAll(consumer).length, 0);
  producer.write(RecordKind.audio, 7, new Uint8Array(1), 0);
  t.equal(await consumer.wait(60_000), false, 'a record was there');
});

t.test('a lost wake-up delays a wait until its timeout', async (t) => {
  const ring = createRing(size);
  const consumer = new RingConsumer(ring);
  const waiting = consumer.wait(1);
  // Simulates a producer that took the sleeper's mark, and whose notification was lost.
  Atomics.store(new Int32Array(ring), HeaderWord.sleeping, 0);
  t.equal(await waiting, true);
});

t.test('the age of a record survives a wrap of the clock, and is never below 0', async (t) => {
  t.equal(ringAge(2 ** 32 - 5, 10), 15);
  t.equal(ringAge(100, 100), 0);
  t.equal(ringAge(101, 100), 0);
  t.equal(ringAge(2, 2 ** 32 - 1), 0);
  t.equal(ringAge(2 ** 32 - 5, 2 ** 32 + 10.75), 15, 'a clock that goes on beside a record that wrapped');
});

t.test('ticks tell a hundredth of a millisecond, also across their wrap', async (t) => {
  for (const arrival of [0, 1234.56, 42_949_672.95, 2 ** 32 - 0.5]) {
    for (const age of [0, 0.01, 0.37, 8, 59_999.99]) {
      const ticks = ticksBetween(ringTicks(arrival), ringTicks((arrival + age) % 2 ** 32));
      t.ok(Math.abs((ticks / ticksPerSecond) * 1000 - age) <= 0.010_01, `${arrival} + ${age}: ${ticks}`);
    }
  }
  t.equal(ticksBetween(ringTicks(5.1), ringTicks(5)), 0, 'never below 0');
});

t.test('a record keeps its arrival to the microsecond', async (t) => {
  const ring = createRing(1024);
  const producer = new RingProducer(ring);
  const consumer = new RingConsumer(ring);
  const arrivals = [0, 0.001, 0.999, 7.5, 1_234_567.891, 2 ** 31 + 0.25, 2 ** 32 - 0.001, 2 ** 32 + 3.125];
  const read: number[] = [];
  const kinds: number[] = [];
  for (const arrival of arrivals) {
    t.ok(producer.write(RecordKind.text, 3, new Uint8Array(5), arrival));
    consumer.drain((kind, _slot, _offset, _length, at) => {
      kinds.push(kind);
      read.push(at);
    });
    consumer.release();
  }
  for (const [i, arrival] of arrivals.entries()) {
    t.ok(Math.abs(read[i]! - (arrival % 2 ** 32)) <= 0.001, `${arrival} came as ${read[i]}`);
  }
  t.ok(kinds.every((kind) => kind === RecordKind.text));
});

t.test('the clock is shared between threads', async (t) => {
  const source = `import { parentPort } from 'node:worker_threads';
    import { ringClock } from ${JSON.stringify(new URL('../../src/ring/index.js', import.meta.url).href)};
    parentPort.postMessage(ringClock());`;
  for (let round = 0; round < 8; round++) {
    const before = ringClock();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    const theirs = await new Promise<number>((resolve) => worker.once('message', resolve));
    const after = ringClock();
    await exited;
    // The offset between the clocks of two threads has an error of microseconds.
    t.ok(theirs >= before - 0.5 && theirs <= after + 0.5, `${before} <= ${theirs} <= ${after}`);
  }
});

t.test('a consumer on another thread receives every byte in order', async (t) => {
  const ring = createRing(16_384);
  const producer = new RingProducer(ring);
  const worker = new Worker(new URL('./checksum-worker.js', import.meta.url), { workerData: { ring } });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  const result = new Promise<{ records: number; checksum: number; waits: number }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  let checksum = 0;
  let refused = 0;
  let state = 12_345;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const total = 50_000;
  for (let count = 0; count < total; count++) {
    const payload = new Uint8Array(random(200)).fill(count);
    const slot = random(1000);
    while (!producer.write(RecordKind.audio, slot, payload, ringClock())) {
      refused++;
      await turn();
    }
    checksum = (Math.imul(checksum, 31) + slot) >>> 0;
    for (const byte of payload) checksum = (Math.imul(checksum, 31) + byte) >>> 0;
    // The pauses make the consumer sleep, so that hand-overs to a sleeping and to a busy consumer occur.
    if (count % 5000 === 0) await new Promise((resolve) => setTimeout(resolve, 15));
  }
  while (!producer.write(RecordKind.drain, 0, new Uint8Array(), ringClock())) await turn();
  const outcome = await result;
  await exited;
  t.equal(outcome.records, total);
  t.equal(outcome.checksum, checksum);
  t.comment(`refused ${refused}, waits ${outcome.waits}`);
});

t.test('the producer sees how far the consumer has come', async (t) => {
  const memory = createRing(size);
  const producer = new RingProducer(memory);
  const consumer = new RingConsumer(memory);
  t.equal(producer.oldestAge(5000), 0, 'nothing waits');
  const payload = new Uint8Array(200);
  // Writes more than one round of the ring, so that a record sometimes follows padding.
  for (let record = 0; record < 40; record++) {
    const arrival = 1000 + record * 10;
    t.ok(producer.write(RecordKind.audio, 0, payload, arrival));
    t.ok(producer.write(RecordKind.audio, 0, payload, arrival + 1));
    t.equal(producer.oldestAge(arrival + 100), 100);
    consumer.drain(() => false);
    t.equal(producer.oldestAge(arrival + 100), 100, 'what is visited is still held');
    const taken = producer.taken();
    consumer.release();
    t.equal(producer.oldestAge(arrival + 100), 99);
    t.not(producer.taken(), taken);
    consumer.drain(() => true);
    consumer.release();
    t.equal(producer.oldestAge(arrival + 100), 0);
  }
  t.ok(producer.write(RecordKind.audio, 0, payload, 2 ** 32 - 50));
  t.equal(producer.oldestAge(50), 100, 'also where the clock of records wraps');
  const beats = producer.beats();
  consumer.beat();
  consumer.beat();
  t.equal(producer.beats() - beats, 2);
});
