import { loadAddon } from '../../src/audio/addon.js';
import { type AudioCore, CoreEvent, type CoreOptions, eventStride } from '../../src/audio/core.js';
import { createNativeCore } from '../../src/audio/native.js';
import { createPortableCore } from '../../src/audio/portable/core.js';
import { processCpu } from './clock.js';
import { coreOptions } from './core-options.js';
import { machineIsas } from './isas.js';
import { loadPackets, type PacketName, type Packets } from './packets.js';
import type { Result } from './report.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';

/** ms a shard lets frames gather between two passes; see src/engine/shard.ts. */
const pass = 4;
/** ms of streaming in a round. */
const perRound = 1000;
/** Packets between the places in the file where two streams begin. */
const phase = 37;

/**
 * Streams that send at their own pace on a clock of their own, and a core driven as a shard drives it: what arrived in
 * four milliseconds is pushed together, and the core turns when it says that it is due.
 */
export class Traffic {
  readonly #core: AudioCore;
  readonly #packets: Packets;
  readonly #streams: number;
  readonly #batch: Uint32Array;
  #now = 0;

  constructor(core: AudioCore, packets: Packets, streams: number) {
    this.#core = core;
    this.#packets = packets;
    this.#streams = streams;
    this.#batch = new Uint32Array(3 * streams);
    for (let s = 0; s < streams; s++) core.open(s, { codec: 'opus_fs320', sampleRate: 16_000, channels: 1 });
  }

  /** Lets `duration` ms pass. @returns CPU ms a stream and second took. */
  async run(duration: number): Promise<number> {
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

  /** Bytes a stream holds by the core's own account, on average. */
  bytesPerStream(): number {
    let total = 0;
    for (let s = 0; s < this.#streams; s++) total += this.#core.status(s).bytes;
    return total / this.#streams;
  }

  /** @throws Error when frames were lost: the numbers would be too good. */
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

  /** The frames of this pass: every stream has its own place within the time of a packet. */
  #push(): void {
    const { offsets, lengths, frameMs } = this.#packets;
    let count = 0;
    for (let s = 0; s < this.#streams; s++) {
      const shift = (s * frameMs) / this.#streams;
      const sent = Math.floor((this.#now - pass - shift) / frameMs) + 1;
      const upTo = Math.floor((this.#now - shift) / frameMs) + 1;
      if (upTo <= sent || upTo <= 0) continue;
      const at = (upTo + s * phase) % offsets.length;
      this.#batch[3 * count] = s;
      this.#batch[3 * count + 1] = offsets[at]!;
      this.#batch[3 * count + 2] = lengths[at]!;
      count++;
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
  contender: 'cochlea' | 'portable',
  make: (options: CoreOptions) => AudioCore | Promise<AudioCore>,
  packets: Packets,
  streams: number,
  firstOfProcess = false,
): Promise<Entry> => {
  const core = await make({ ...coreOptions, maxStreams: streams, memory: packets.bytes });
  const before = process.memoryUsage.rss();
  const traffic = new Traffic(core, packets, streams);
  // Streams that have begun, so that every round meets the same state and the same memory.
  await traffic.run(2 * perRound);
  const resident = (process.memoryUsage.rss() - before) / streams;
  // Later streams take memory that earlier ones gave back.
  const grown = firstOfProcess ? { resident_bytes_per_stream: Math.max(0, resident) } : {};
  const memory = (): Partial<Result> =>
    contender === 'cochlea' ? { bytes_per_stream: traffic.bytesPerStream(), ...grown } : {};
  return {
    labels: { contender, isa: core.capabilities.isa, mode: packets.name, streams },
    measure: async () => {
      const cost = await traffic.run(perRound);
      traffic.check();
      return cost;
    },
    extra: memory,
    close: () => traffic.close(),
  };
};

/**
 * CPU ms a stream and second costs in the core: decoding, resampling, detecting, gating; no sockets, no shard. Every
 * window goes through the detector.
 */
export const turnSuite: Suite = async (options) => {
  const rows = new SuiteRows('turn', 'cpu_ms_per_stream_s', options);
  const { addon, weights } = loadAddon();
  const native = (o: CoreOptions): AudioCore => createNativeCore(addon, weights, o);
  const files: readonly PacketName[] = ['speech', 'quiet-day'];
  for (const name of files) {
    const packets = await loadPackets(name);
    const entries = new Map([
      ['cochlea', await entryOf('cochlea', native, packets, 300, name === files[0])],
      ['portable', await entryOf('portable', createPortableCore, packets, 20)],
    ]);
    for (const isa of machineIsas().filter((other) => other !== addon.isa)) {
      const forced = (o: CoreOptions): AudioCore => native({ ...o, isa });
      entries.set(isa, await entryOf('cochlea', forced, packets, 300));
    }
    await rows.add(name, entries);
  }
  return rows;
};
