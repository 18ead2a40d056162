import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadAddon } from '../../src/audio/addon.js';
import {
  type AudioCore,
  batchStride,
  CoreEvent,
  type CoreOptions,
  eventStride,
} from '../../src/audio/interface/core.js';
import { createNativeCore } from '../../src/audio/native.js';
import { createPortableCore } from '../../src/audio/portable/core.js';
import type { StreamFormat } from '../../src/wire/stream.js';
import { loadPackets, type PacketName, type Packets } from '../packets/packets.js';
import { processCpu } from './clock.js';
import { coreOptions } from './core-options.js';
import { machineIsas } from './isas.js';
import type { Result } from './report.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';

/** Ms of audio that one pass pushes. */
const pass = 4;
const nativeStreams = 300;
/**
 * Number of streams for the portable core. It is smaller than for the native core, because the portable core takes
 * several times as long.
 */
const portableStreams = 20;
/** Ms of audio that each stream sends in a round. */
const perRound = 1000;
const wideOpus: StreamFormat = { codec: 'opus_fs320', sampleRate: 16_000, channels: 1 };
const narrowPcm: StreamFormat = { codec: 'pcm8', sampleRate: 8000, channels: 1 };
/** The compared streams: their packets, their format, and whether all instruction sets are measured. */
const comparisons: readonly { name: PacketName; format: StreamFormat; everyIsa: boolean }[] = [
  { name: 'speech', format: wideOpus, everyIsa: true },
  { name: 'quiet-day', format: wideOpus, everyIsa: true },
  { name: 'pcm8-speech', format: narrowPcm, everyIsa: false },
  { name: 'pcm8-quiet-day', format: narrowPcm, everyIsa: false },
];
/** Each stream starts this many packets later in the file than the previous stream. */
const phase = 37;

/**
 * Streams on a simulated clock, and a core that is driven as in a shard. Each pass pushes the frames of four
 * milliseconds. The core computes whenever it reports that a turn is due.
 */
export class Traffic {
  readonly #core: AudioCore;
  readonly #packets: Packets;
  readonly #streams: number;
  readonly #batch: Uint32Array;
  #now = 0;

  constructor(core: AudioCore, packets: Packets, streams: number, format = wideOpus) {
    this.#core = core;
    this.#packets = packets;
    this.#streams = streams;
    this.#batch = new Uint32Array(batchStride * streams);
    for (let s = 0; s < streams; s++) core.open(s, format);
  }

  /**
   * Advances the clock of the streams.
   * @param duration ms, a multiple of `pass`.
   * @returns CPU ms per stream and second of audio.
   * @throws RangeError for a duration that is no multiple of `pass`, because the clock would advance by more than
   * `duration`.
   */
  async run(duration: number): Promise<number> {
    if (duration % pass !== 0) throw new RangeError(`${duration} ms are no whole passes of ${pass} ms`);
    const before = processCpu();
    const end = this.#now + duration;
    while (this.#now < end) {
      this.#now += pass;
      this.#push();
      while (this.#core.due(this.#now) <= 0) {
        this.#visit(this.#core.turn(this.#now, false));
        if (!this.#core.capabilities.synchronous) await this.#core.settle();
      }
    }
    return (processCpu() - before) / 1e6 / (this.#streams * (duration / 1000));
  }

  /** Returns the mean number of bytes of a stream, as the core reports it. */
  bytesPerStream(): number {
    let total = 0;
    for (let s = 0; s < this.#streams; s++) total += this.#core.status(s).bytes;
    return total / this.#streams;
  }

  /**
   * Checks that all frames were decoded.
   * @throws Error when frames were lost, because the results would then be too good.
   */
  check(): void {
    for (let s = 0; s < this.#streams; s++) {
      const { framesDecoded, framesInvalid, framesDropped } = this.#core.status(s);
      if (framesDecoded === 0 || framesInvalid > 0 || framesDropped > 0) {
        throw new Error(
          `stream ${s}: ${framesDecoded} frames decoded, ${framesInvalid} invalid, ${framesDropped} dropped`,
        );
      }
    }
  }

  close(): void {
    this.#core.destroy();
  }

  /**
   * Pushes the frames of this pass. Streams send at different times, which are spread over the duration of a packet.
   */
  #push(): void {
    const { offsets, lengths, frameMs } = this.#packets;
    let count = 0;
    for (let s = 0; s < this.#streams; s++) {
      const shift = (s * frameMs) / this.#streams;
      const sent = Math.floor((this.#now - pass - shift) / frameMs) + 1;
      const upTo = Math.floor((this.#now - shift) / frameMs) + 1;
      if (upTo <= sent || upTo <= 0) continue;
      const at = (upTo + s * phase) % offsets.length;
      const entry = batchStride * count++;
      this.#batch[entry] = s;
      this.#batch[entry + 1] = offsets[at]!;
      this.#batch[entry + 2] = lengths[at]!;
      this.#batch[entry + 3] = this.#now;
    }
    if (count > 0) this.#core.push(this.#batch, count, this.#now);
  }

  #visit(count: number): void {
    const { events } = this.#core;
    for (let i = 0; i < count; i++) {
      if (events[i * eventStride + 1] === CoreEvent.utterance) {
        this.#core.takeUtterance(events[i * eventStride]!);
      }
    }
  }
}

const entryOf = async (
  labels: Entry['labels'],
  core: AudioCore,
  packets: Packets,
  streams: number,
  format: StreamFormat,
  resident?: number,
): Promise<Entry> => {
  const traffic = new Traffic(core, packets, streams, format);
  // The streams run before the measurement, so that every round starts with equal state and memory.
  await traffic.run(2 * perRound);
  const memory = (): Partial<Result> => ({
    bytes_per_stream: traffic.bytesPerStream(),
    ...(resident === undefined ? {} : { resident_bytes_per_stream: resident }),
  });
  return {
    labels: { ...labels, mode: packets.name, streams },
    measure: async () => {
      const cost = await traffic.run(perRound);
      traffic.check();
      return cost;
    },
    extra: core.capabilities.name === 'native' ? memory : undefined,
    close: () => traffic.close(),
  };
};

/**
 * Returns the memory growth per stream in bytes. A separate process measures it, because this process can reuse memory
 * of earlier streams and suites.
 */
const residentPerStream = async (name: PacketName): Promise<number> => {
  const script = fileURLToPath(new URL('./stream-memory.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, name, String(nativeStreams)]);
  return Number(stdout);
};

/**
 * Measures the CPU ms per stream and second of audio in the core: decoding, resampling, detection and gating. Sockets
 * and shard are not included. The detector processes every window.
 */
export const turnSuite: Suite = async (options) => {
  const rows = new SuiteRows('turn', 'cpu_ms_per_stream_s', options);
  const { addon, weights } = loadAddon();
  const others = machineIsas().filter((isa) => isa !== addon.isa);
  for (const { name, format, everyIsa } of comparisons) {
    const packets = await loadPackets(name);
    const options = (streams: number): CoreOptions => ({
      ...coreOptions,
      maxStreams: streams,
      memory: packets.bytes,
    });
    const native = async (isa: string, resident?: number): Promise<Entry> => {
      const core = createNativeCore(addon, weights, { ...options(nativeStreams), isa });
      return entryOf({ contender: 'cochlea', isa }, core, packets, nativeStreams, format, resident);
    };
    const resident = format === wideOpus ? await residentPerStream(name) : undefined;
    const entries = new Map([['cochlea', await native(addon.isa, resident)]]);
    for (const isa of everyIsa ? others : []) entries.set(isa, await native(isa));
    const portable = await createPortableCore(options(portableStreams));
    const labels = { contender: 'portable', isa: portable.capabilities.isa };
    entries.set('portable', await entryOf(labels, portable, packets, portableStreams, format));
    await rows.add(name, entries);
  }
  return rows;
};
