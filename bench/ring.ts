import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createRing, RecordKind, RingProducer, ringClock } from '../src/ring/index.js';

/**
 * Cost of one 80-byte frame through the ring, both threads together. `burst` is how many frames are written between two
 * turns of the producer's event loop: 1 finds the consumer asleep nearly every time, 1000 nearly never.
 *
 * Run: node dist/bench/ring.js
 */
const frame = new Uint8Array(80).fill(7);
const ringBytes = 4_194_304;

const measure = async (frames: number, burst: number): Promise<object> => {
  const ring = createRing(ringBytes);
  const producer = new RingProducer(ring);
  const worker = new Worker(new URL('./ring-consumer.js', import.meta.url), { workerData: { ring } });
  await new Promise((resolve) => worker.once('online', resolve));
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  const outcome = new Promise<{ records: number; waits: number }>((resolve) =>
    worker.once('message', resolve),
  );
  const cpu = process.cpuUsage();
  const began = performance.now();
  let writing = 0;
  let full = 0;
  for (let written = 0; written < frames; ) {
    const start = performance.now();
    const last = Math.min(frames, written + burst);
    while (written < last && producer.write(RecordKind.audio, written & 1023, frame, ringClock())) written++;
    writing += performance.now() - start;
    if (written < last) full++;
    await turn();
  }
  while (!producer.write(RecordKind.drain, 0, new Uint8Array(0), ringClock())) await turn();
  const { records, waits } = await outcome;
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  await exited;
  return {
    burst,
    frames: records,
    'producer ns/frame': Math.round((writing * 1e6) / frames),
    'wall ns/frame': Math.round((wall * 1e6) / frames),
    'cpu ns/frame, both threads': Math.round(((user + system) * 1e3) / frames),
    sleeps: waits,
    full,
  };
};

await measure(200_000, 1000);
console.table([await measure(200_000, 1), await measure(500_000, 10), await measure(2_000_000, 1000)]);
