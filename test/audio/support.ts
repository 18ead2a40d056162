/** Shared helpers for tests of both cores. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Addon, loadAddon } from '../../src/audio/addon.js';
import {
  type AudioCore,
  batchStride,
  CoreEvent,
  type CoreOptions,
  eventStride,
  type GateOptions,
  type Utterance,
} from '../../src/audio/interface/core.js';
import { createNativeCore } from '../../src/audio/native.js';
import { createPortableCore } from '../../src/audio/portable/core.js';
import { usualGate } from '../../src/wire/gate.js';
import { fixtureUtterances } from '../support/texts/speech.js';

export const gateOptions: GateOptions = usualGate;

export interface CoreKind {
  readonly name: 'native' | 'portable';
  make(options: CoreOptions): Promise<AudioCore>;
}

interface LoadedAddon {
  readonly addon: Addon;
  readonly weights: Uint8Array;
}

/** The native addon, or why it is missing. */
export const native: LoadedAddon | { readonly missing: string } = (() => {
  try {
    return loadAddon();
  } catch (error) {
    return { missing: (error as Error).message };
  }
})();

/** Reason why tests that need the addon are skipped, or false. */
export const withoutNative: string | false = 'missing' in native && native.missing;

/** Returns the addon. Only for tests that are skipped by `withoutNative`. */
export const nativeAddon = (): LoadedAddon => {
  if ('missing' in native) throw new Error(native.missing);
  return native;
};

/** The native core if it is built, and the portable core. Without the native core, its reason is printed. */
export const coreKinds: readonly CoreKind[] = [
  ...('addon' in native
    ? [
        {
          name: 'native' as const,
          make: async (o: CoreOptions) => createNativeCore(native.addon, native.weights, o),
        },
      ]
    : []),
  { name: 'portable', make: createPortableCore },
];

export interface CoreEventRecord {
  readonly handle: number;
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** A core with its memory. A test pushes frames and advances the clock `now`, as a shard does. */
export class Bench {
  readonly core: AudioCore;
  readonly events: CoreEventRecord[] = [];
  /** Time in ms from arrival to decision for every window. */
  readonly waits: number[] = [];
  readonly utterances = new Map<number, Utterance[]>();
  /** Open utterances that the core reported. `pauses`: whether the report was made in a pause. */
  readonly open: { readonly utterance: Utterance; readonly pauses: boolean }[] = [];
  /** Audio that streams returned, by stream. */
  readonly pieces = new Map<number, { readonly position: number; readonly pcm: Int16Array }[]>();
  now = 0;
  readonly #memory: Uint8Array;
  #at = 0;

  private constructor(core: AudioCore, memory: Uint8Array) {
    this.core = core;
    this.#memory = memory;
  }

  static async open(kind: CoreKind, options: Partial<CoreOptions> = {}): Promise<Bench> {
    const memory = new Uint8Array(new SharedArrayBuffer(1 << 20));
    const core = await kind.make({
      gate: gateOptions,
      frameQueueDuration: 2000,
      turnWindows: 16,
      turnDeadline: 8,
      maxStreams: 64,
      memory,
      ...options,
    });
    return new Bench(core, memory);
  }

  /** Pushes frames of several streams as one batch. */
  push(frames: readonly (readonly [handle: number, bytes: Uint8Array])[]): void {
    const batch = new Uint32Array(batchStride * frames.length);
    frames.forEach(([handle, bytes], i) => {
      if (this.#at + bytes.length > this.#memory.length) this.#at = 0;
      this.#memory.set(bytes, this.#at);
      batch.set([handle, this.#at, bytes.length, this.now], batchStride * i);
      this.#at += bytes.length;
    });
    this.core.push(batch, frames.length, this.now);
    // The core must have copied the frames by now. The test overwrites them, as later frames overwrite a ring.
    this.#memory.fill(0xaa, Math.max(0, this.#at - 4096), this.#at);
  }

  /** Runs turns until all available audio is detected and reported. */
  async turn(force = false): Promise<void> {
    this.#visit(this.core.turn(this.now, force));
    await this.#drain();
  }

  async flush(handle: number): Promise<void> {
    this.#visit(this.core.flush(handle, this.now));
    await this.#drain();
  }

  /** Plays frames of one stream in real time by the clock `now`, runs turns after each frame, and flushes. */
  async play(handle: number, frames: readonly Uint8Array[], frameMs = 20): Promise<void> {
    for (const frame of frames) {
      this.push([[handle, frame]]);
      this.now += frameMs;
      await this.turn();
    }
    await this.flush(handle);
  }

  of(handle: number): Utterance[] {
    return this.utterances.get(handle) ?? [];
  }

  piecesOf(handle: number): { readonly position: number; readonly pcm: Int16Array }[] {
    return this.pieces.get(handle) ?? [];
  }

  async #drain(): Promise<void> {
    for (;;) {
      await this.core.settle();
      const count = this.core.turn(this.now, false);
      this.#visit(count);
      if (count === 0) return;
    }
  }

  #visit(count: number): void {
    const { decided } = this.core;
    for (const arrival of decided.subarray(1, 1 + decided[0]!)) this.waits.push(this.now - arrival);
    for (let i = 0; i < count; i++) {
      const [handle, kind, a, b, c] = this.core.events.subarray(
        i * eventStride,
        (i + 1) * eventStride,
      ) as unknown as [number, number, number, number, number];
      this.events.push({ handle, kind, a, b, c });
      if (kind === CoreEvent.audio) {
        const pcm = this.core.audio.slice(b, b + c);
        this.pieces.set(handle, [...this.piecesOf(handle), { position: a, pcm }]);
      }
      if (kind === CoreEvent.open) {
        const utterance = this.core.openUtterance(handle);
        if (utterance) this.open.push({ utterance, pauses: c === 1 });
      }
      if (kind === 3) {
        const utterance = this.core.takeUtterance(handle);
        if (utterance) this.utterances.set(handle, [...this.of(handle), utterance]);
      }
    }
  }
}

/**
 * The fixture speech at 16 kHz, with one second of silence before each utterance and after the last. `labels` are the positions of its
 * utterances in samples.
 */
export const { speech, labels } = (() => {
  const folder = new URL('../../../fixtures/speech/', import.meta.url);
  const pause = new Int16Array(16_000);
  const parts: Int16Array[] = [];
  const labels: { start: number; end: number }[] = [];
  let length = 0;
  for (const { file, speech_start_ms, speech_end_ms } of fixtureUtterances) {
    const wav = readFileSync(new URL(file, folder));
    const pcm = new Int16Array(
      wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + 44 + ((wav.length - 44) & ~1)),
    );
    length += pause.length;
    labels.push({ start: length + speech_start_ms * 16, end: length + speech_end_ms * 16 });
    length += pcm.length;
    parts.push(pause, pcm);
  }
  const speech = new Int16Array(length + pause.length);
  let at = 0;
  for (const part of parts) {
    speech.set(part, at);
    at += part.length;
  }
  return { speech, labels };
})();

/** Returns samples as little-endian bytes. */
export const bytesOf = (pcm: Int16Array): Uint8Array =>
  new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);

/** Splits bytes into frames of a size. The last frame may be shorter. */
export const cut = (bytes: Uint8Array, size: number): Uint8Array[] => {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) frames.push(bytes.subarray(at, at + size));
  return frames;
};

interface OpusEncoder {
  encode(pcm: Uint8Array): Uint8Array;
  ctl(code: number, value: number): number;
  drop(): void;
}

const { Encoder } = createRequire(import.meta.url)('@evan/opus/wasm/index.js') as {
  Encoder: new (options: { channels: number; sample_rate: number; application: string }) => OpusEncoder;
};

/** Encodes interleaved samples as Opus packets. */
export const encodeOpus = (
  pcm: Int16Array,
  rate: number,
  channels: number,
  frameMs: number,
): Uint8Array[] => {
  const encoder = new Encoder({ channels, sample_rate: rate, application: 'voip' });
  const size = ((rate * frameMs) / 1000) * channels * 2;
  // OPUS_SET_EXPERT_FRAME_DURATION is unnecessary: libopus takes the duration from the input up to 60 ms.
  const packets = cut(bytesOf(pcm), size)
    .filter((frame) => frame.length === size)
    .map((frame) => encoder.encode(frame));
  encoder.drop();
  return packets;
};

/** Resamples by linear interpolation. This is good enough for test material, but not for judging a resampler. */
export const stretch = (pcm: Int16Array, rate: number, channels = 1): Int16Array => {
  const count = Math.floor((pcm.length * rate) / 16_000);
  const out = new Int16Array(count * channels);
  for (let i = 0; i < count; i++) {
    const at = (i * 16_000) / rate;
    const from = Math.floor(at);
    const a = pcm[from] ?? 0;
    const value = Math.round(a + (at - from) * ((pcm[from + 1] ?? a) - a));
    for (let c = 0; c < channels; c++) out[i * channels + c] = value;
  }
  return out;
};

/** Returns every other sample, after a half-band filter that removes the upper half of the spectrum. */
export const halved = (pcm: Int16Array): Int16Array => {
  const reach = 24;
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, k) => {
    const x = ((k - reach) * Math.PI) / 2;
    const sinc = x === 0 ? 1 : Math.sin(x) / x;
    return (sinc / 2) * (0.5 + 0.5 * Math.cos(((k - reach) * Math.PI) / (reach + 1)));
  });
  return Int16Array.from({ length: pcm.length >> 1 }, (_, n) => {
    let sum = 0;
    for (let k = 0; k <= 2 * reach; k++) sum += taps[k]! * (pcm[2 * n + k - reach] ?? 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  });
};

/** Returns a generator of seeded noise from -1 to 1. */
export const seededNoise = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
};
