import { loadAddon } from '../../src/audio/addon.js';
import { createNativeCore } from '../../src/audio/native.js';
import { loadPackets, type PacketName } from '../packets/packets.js';
import { coreOptions } from './core-options.js';
import { Traffic } from './turn.js';

/**
 * Prints the number of bytes by which this process grows per stream of the core. These bytes hold decoder, detector,
 * gate, queued frames and the open utterance. This program must run in its own process: `stream-memory.js PACKETS
 * STREAMS`
 */
const [name, count] = process.argv.slice(2) as [PacketName, string];
const streams = Number(count);
const { addon, weights } = loadAddon();
const packets = await loadPackets(name);

const play = async (handles: number, duration: number): Promise<Traffic> => {
  const options = { ...coreOptions, maxStreams: handles, memory: packets.bytes };
  const traffic = new Traffic(createNativeCore(addon, weights, options), packets, handles);
  await traffic.run(duration);
  return traffic;
};

// The first stream allocates all shared data: weights, tables, compiled code. So it is opened before the measurement.
const first = await play(1, 3000);
const before = process.memoryUsage.rss();
const all = await play(streams, 3000);
process.stdout.write(String(Math.max(0, process.memoryUsage.rss() - before) / streams));
first.close();
all.close();
