import { once } from 'node:events';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { loadFrameCopier } from '../../src/audio/frame-copier.js';
import { ringClock } from '../../src/ring/clock.js';
import { RecordKind } from '../../src/ring/layout.js';
import { createRing, RingProducer } from '../../src/ring/ring.js';
import { processCpu } from './clock.js';
import type { Result } from './report.js';
import type { ConsumerData, Taken, Waiting } from './ring-consumer.js';
import { median } from './stats.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';

/** Length of a frame in bytes: about 20 ms of Opus at 24 kbit/s. */
const frameBytes = 80;
const frame = new Uint8Array(frameBytes).fill(7);
const ringBytes = 4_194_304;

/** Collects the throughput of each round, in frames per second of wall time. */
class Rates {
  readonly #rates: number[] = [];

  add(frames: number, wallMs: number): void {
    this.#rates.push((frames / wallMs) * 1000);
  }

  readonly extra = (): Partial<Result> => ({ frames_per_s: median(this.#rates) });
}

/** A ring and the thread that reads it. */
class RingPair {
  readonly producer: RingProducer;
  readonly #worker: Worker;

  constructor(waiting: Waiting) {
    const ring = createRing(ringBytes);
    this.producer = new RingProducer(ring, loadFrameCopier('auto'));
    const workerData: ConsumerData = { ring, waiting };
    this.#worker = new Worker(new URL('./ring-consumer.js', import.meta.url), { workerData });
  }

  /** Waits until the reader has read `frames` records. */
  async taken(frames: number): Promise<Taken> {
    this.#worker.postMessage(frames);
    const [answer] = (await once(this.#worker, 'message')) as [Taken];
    return answer;
  }

  async close(): Promise<void> {
    this.#worker.postMessage('end');
    await once(this.#worker, 'exit');
  }
}

/**
 * Measures writer and reader at full speed. `burst` is the number of frames between two iterations of the producer's
 * event loop.
 */
const burstEntry = (burst: number, frames: number): Entry => {
  const pair = new RingPair('eager');
  const rates = new Rates();
  return {
    labels: { contender: 'cochlea', mode: `bursts of ${burst}` },
    extra: rates.extra,
    close: () => pair.close(),
    measure: async () => {
      const done = pair.taken(frames);
      const cpu = processCpu();
      const began = performance.now();
      for (let written = 0; written < frames; ) {
        const last = Math.min(frames, written + burst);
        while (
          written < last &&
          pair.producer.write(RecordKind.audio, written & 1023, frame.buffer, ringClock())
        )
          written++;
        await turn();
      }
      await done;
      rates.add(frames, performance.now() - began);
      return (processCpu() - cpu) / frames;
    },
  };
};

/**
 * Measures under the conditions of a real server: frames arrive at the pace of `streams` streams, and the reader sleeps
 * and wakes like a shard.
 *
 * The cost is the time inside the writing calls plus all CPU time of the reading thread, including timers and wake-ups.
 * The pacing of the producer does not count.
 */
const wakingEntry = (streams: number, duration: number): Entry => {
  const pair = new RingPair('shard');
  const rates = new Rates();
  const writings: number[] = [];
  const perMs = (streams * 50) / 1000;
  return {
    labels: { contender: 'cochlea', mode: 'waking', streams },
    extra: () => ({ ...rates.extra(), producer_ns_per_frame: median(writings) }),
    close: () => pair.close(),
    measure: async () => {
      const frames = Math.round(perMs * duration);
      const done = pair.taken(frames);
      const cpu = processCpu();
      const began = performance.now();
      let writing = 0;
      for (let written = 0; written < frames; ) {
        const start = performance.now();
        const due = Math.min(frames, Math.floor((start - began) * perMs));
        while (
          written < due &&
          pair.producer.write(RecordKind.audio, written % streams, frame.buffer, ringClock())
        )
          written++;
        writing += performance.now() - start;
        await delay(1);
      }
      const { cpu: reading } = await done;
      rates.add(frames, performance.now() - began);
      writings.push((writing * 1e6) / frames);
      // If the system does not report the time of a thread, the time of the whole process serves as an upper bound.
      return reading === undefined ? (processCpu() - cpu) / frames : (writing * 1e6 + reading) / frames;
    },
  };
};

/** Measures Node's `postMessage` with one cloned message per frame. */
const messageEntry = (burst: number, frames: number): Entry => {
  const worker = new Worker(new URL('./front/message-consumer.js', import.meta.url));
  const rates = new Rates();
  return {
    labels: { contender: 'postMessage', version: process.version, mode: `bursts of ${burst}` },
    extra: rates.extra,
    close: async () => {
      worker.postMessage('end');
      await once(worker, 'exit');
    },
    measure: async () => {
      const cpu = processCpu();
      const began = performance.now();
      for (let written = 0; written < frames; written++) {
        worker.postMessage(frame);
        if (written % burst === burst - 1) await turn();
      }
      worker.postMessage(frames);
      await once(worker, 'message');
      rates.add(frames, performance.now() - began);
      return (processCpu() - cpu) / frames;
    },
  };
};

/** Measures a Piscina pool with one task per frame. */
const taskEntry = (burst: number, frames: number, version: string): Entry => {
  const pool = new Piscina({
    filename: new URL('./front/task-consumer.js', import.meta.url).href,
    name: 'takeFrame',
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  const rates = new Rates();
  return {
    labels: { contender: 'piscina run()', version, mode: `bursts of ${burst}` },
    extra: rates.extra,
    close: () => pool.close(),
    measure: async () => {
      const cpu = processCpu();
      const began = performance.now();
      for (let written = 0; written < frames; written += burst) {
        await Promise.all(Array.from({ length: burst }, () => pool.run(frame)));
      }
      rates.add(frames, performance.now() - began);
      return (processCpu() - cpu) / frames;
    },
  };
};

/** Measures the ns to pass a frame of 80 bytes from one thread to another. The cost is the sum of both threads. */
export const ringSuite: Suite = async (options) => {
  const rows = new SuiteRows('ring', 'ns_per_frame', options);
  const version = Piscina.version;
  rows.versions.piscina = version;
  await rows.add(
    'waking',
    new Map([
      ['waking', wakingEntry(300, 400)],
      ['bursts of 1000', burstEntry(1000, 200_000)],
      ['bursts of 10', burstEntry(10, 50_000)],
      ['bursts of 1', burstEntry(1, 10_000)],
      ['postMessage', { ...messageEntry(10, 20_000), against: 'bursts of 10' }],
      ['piscina run()', { ...taskEntry(10, 2000, version), against: 'bursts of 10' }],
    ]),
  );
  return rows;
};
