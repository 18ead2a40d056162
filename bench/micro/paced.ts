import { loadAddon } from '../../src/audio/addon.js';
import { createNativeCore } from '../../src/audio/native.js';
import { loadPackets, type Packets } from '../packets/packets.js';
import { coreOptions } from './core-options.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';
import { Traffic } from './turn.js';

/** Few streams, where a thread sleeps most of the time, and many. */
const streamCounts = [50, 400];
/** Ms between two turns. */
const gap = 10;
/** Ms of streaming in a round. */
const perRound = 2000;

type Pace = 'flat out' | 'paced';

const sleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Streams for `duration` ms in real time, asleep between the turns. @returns CPU ms a stream and second took, sleeping left out. */
const runPaced = async (traffic: Traffic, duration: number): Promise<number> => {
  const began = performance.now();
  let cost = 0;
  for (let at = gap; at <= duration; at += gap) {
    cost += (await traffic.run(gap)) * gap;
    const early = began + at - performance.now();
    if (early > 0) Atomics.wait(sleep, 0, 0, early);
  }
  return cost / duration;
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
      const cost = pace === 'paced' ? await runPaced(traffic, perRound) : await traffic.run(perRound);
      traffic.check();
      return cost;
    },
    close: () => traffic.close(),
  };
};

/**
 * What the same frames cost in the core, worked off one after the other and as they come: a thread that sleeps between
 * turns finds caches that others used meanwhile. It is the part of a stream's cost at few streams that no code of ours has.
 */
export const pacedSuite: Suite = async (options) => {
  const rows = new SuiteRows('paced', 'cpu_ms_per_stream_s', options);
  const packets = await loadPackets('speech');
  for (const streams of streamCounts) {
    const entries = new Map<string, Entry>([
      ['flat out', await entryOf(packets, streams, 'flat out')],
      ['paced', await entryOf(packets, streams, 'paced')],
    ]);
    await rows.add(`${streams} streams`, entries);
  }
  return rows;
};
