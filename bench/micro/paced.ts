import { loadAddon } from '../../src/audio/addon.js';
import { createNativeCore } from '../../src/audio/native.js';
import { loadPackets, type Packets } from '../packets/packets.js';
import { processCpu } from './clock.js';
import { coreOptions } from './core-options.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';
import { Traffic } from './turn.js';

/** Numbers of streams that are measured. With 50 streams the thread mostly sleeps. */
const streamCounts = [50, 400];
/** Ms between the starts of two passes, as in a shard. */
const gap = 8;
/** Length of a round in ms of streamed audio; a multiple of `gap`. */
const perRound = 2000;
/** Number of bytes that are read. They are about as many as the weights of the detector. */
const bytesRead = 1_048_576;

type Pace = 'flat out' | 'paced';
const paces: readonly Pace[] = ['flat out', 'paced'];

const sleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Does the work of a round in passes of `gap` ms of audio. Passes follow one another without pauses, or in real time
 * with sleep between them.
 * @param work measures and returns its own cost. The result is the mean of these costs.
 */
const inTurns = async (pace: Pace, work: () => Promise<number> | number): Promise<number> => {
  const began = performance.now();
  let cost = 0;
  for (let at = gap; at <= perRound; at += gap) {
    cost += await work();
    const early = began + at - performance.now();
    if (pace === 'paced' && early > 0) Atomics.wait(sleep, 0, 0, early);
  }
  return cost / (perRound / gap);
};

const entryOf = async (packets: Packets, streams: number, pace: Pace): Promise<Entry> => {
  const { addon, weights } = loadAddon();
  const core = createNativeCore(addon, weights, {
    ...coreOptions,
    maxStreams: streams,
    memory: packets.bytes,
  });
  const traffic = new Traffic(core, packets, streams);
  await traffic.run(perRound);
  return {
    labels: { contender: 'cochlea', isa: addon.isa, mode: pace, streams },
    measure: async () => {
      const cost = await inTurns(pace, () => traffic.run(gap));
      traffic.check();
      return cost;
    },
    close: () => traffic.close(),
  };
};

/** Returns the contender that reads one number from every cache line of a megabyte. */
const readEntry = (pace: Pace): Entry => {
  const lines = new Float64Array(bytesRead / Float64Array.BYTES_PER_ELEMENT).fill(1);
  const numbersPerLine = 64 / Float64Array.BYTES_PER_ELEMENT;
  const read = (): number => {
    const before = processCpu();
    let sum = 0;
    for (let at = 0; at < lines.length; at += numbersPerLine) sum += lines[at]!;
    if (sum !== lines.length / numbersPerLine) throw new Error(`${sum} is not what was written`);
    return (processCpu() - before) / 1000;
  };
  return {
    labels: { contender: '1 MiB read', mode: pace },
    measure: () => inTurns(pace, read),
  };
};

/**
 * Measures the cost of equal frames in the core twice: without pauses, and in real time with sleep between the passes.
 * Another measurement shows how much longer reading memory takes after a sleep. This additional cost comes from the
 * machine, not from the core.
 */
export const pacedSuite: Suite = async (options) => {
  const rows = new SuiteRows('paced', 'cpu_ms_per_stream_s', options);
  const packets = await loadPackets('speech');
  for (const streams of streamCounts) {
    const entries = new Map<string, Entry>();
    for (const pace of paces) entries.set(pace, await entryOf(packets, streams, pace));
    await rows.add(`${streams} streams`, entries);
  }
  const reads = new SuiteRows('paced', 'us_per_call', options);
  await reads.add('1 MiB read', new Map(paces.map((pace) => [pace, readEntry(pace)])));
  rows.results.push(...reads.results);
  rows.selfNoise.push(...reads.selfNoise);
  return rows;
};
