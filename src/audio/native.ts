import { CochleaError } from '../errors/index.js';
import type { AudioNeed, Codec, StreamFormat } from '../wire/index.js';
import { type Addon, type NativeCore, nativeCodecs, nativeNeeds } from './addon.js';
import {
  type AudioCore,
  baseCodecs,
  type CoreCapabilities,
  type CoreOptions,
  checkFormat,
  defaultAudioChunk,
  eventStride,
  type StreamStatus,
  type Utterance,
  windowSamples,
} from './interface/index.js';

/** Maximum number of events of one turn. A turn with more events stops early and is due again at once. */
const eventCapacity = 4096;
/**
 * Maximum number of windows of one turn. A turn with more windows stops early, too. `flush` cannot stop early. So this
 * number exceeds the number of windows in a frame queue that is full of the largest frames.
 */
const decidedCapacity = 4096;
/**
 * Maximum number of audio pieces of one turn: twice as many as 16 streams may hand out together. The core needs space
 * for the pieces of 16 streams, because its detector processes 16 windows at once.
 */
const pieceCapacity = 2 * 16 * 3;

const remedies: Partial<Record<Codec, string>> = {
  aac: 'Install libavcodec, the library of FFmpeg, and start the engine again.',
  lc3: 'Install liblc3 (Debian: liblc3-dev) and build the native core again.',
  lc3_fs1030: 'Install liblc3 (Debian: liblc3-dev) and build the native core again.',
};

/** Implements the engine's interface with the addon. Checks arguments, because the addon trusts its arguments. */
class NativeAudioCore implements AudioCore {
  readonly capabilities: CoreCapabilities;
  readonly events = new Float64Array(eventCapacity * eventStride);
  readonly decided = new Uint32Array(1 + decidedCapacity);
  readonly audio: Int16Array;
  /** The addon's core; undefined after `destroy`. */
  #live: NativeCore | undefined;
  readonly #maxStreams: number;
  /** Codecs that do not need libavcodec. Only a stream of AAC makes the process open that library. */
  readonly #withoutAac: readonly Codec[];

  constructor(addon: Addon, weights: Uint8Array, options: CoreOptions) {
    const { audioChunk = defaultAudioChunk, memory } = options;
    this.audio = new Int16Array(pieceCapacity * Math.max(windowSamples, audioChunk * 16));
    this.#live = new addon.Core(
      { ...options, audioChunk },
      memory,
      this.events,
      this.decided,
      weights,
      this.audio,
    );
    this.#maxStreams = options.maxStreams;
    const withoutAac: readonly Codec[] =
      addon.lc3 === undefined ? baseCodecs : [...baseCodecs, 'lc3', 'lc3_fs1030'];
    this.#withoutAac = withoutAac;
    this.capabilities = {
      name: 'native',
      get codecs() {
        return addon.aac === undefined ? withoutAac : [...withoutAac, 'aac' as const];
      },
      synchronous: true,
      concealment: true,
      isa: options.isa ?? addon.isa,
      get versions() {
        return {
          opus: addon.opus,
          ...(addon.aac === undefined ? {} : { libavcodec: addon.aac }),
          ...(addon.lc3 === undefined ? {} : { liblc3: addon.lc3 }),
        };
      },
    };
  }

  open(handle: number, format: StreamFormat): void {
    checkFormat(format, format.codec === 'aac' ? this.capabilities.codecs : this.#withoutAac, remedies);
    if (!Number.isInteger(handle) || handle < 0 || handle >= this.#maxStreams) {
      throw new RangeError(`handle ${handle} is not below ${this.#maxStreams}`);
    }
    const result = this.#core.open(handle, nativeCodecs[format.codec], format.sampleRate, format.channels);
    if (result === 1) throw new RangeError(`handle ${handle} is in use`);
    if (result !== 0) {
      throw new CochleaError('codec_unavailable', {
        codec: format.codec,
        how: 'Its library refused to make a decoder.',
      });
    }
  }

  choose(handle: number, need: AudioNeed): void {
    this.#core.choose(handle, nativeNeeds[need]);
  }

  push(batch: Uint32Array, count: number, now: number, memory?: Uint8Array): void {
    this.#core.push(batch, count, now, memory);
  }

  lose(handle: number, frames: number, bytes: number): void {
    this.#core.lose(handle, frames, bytes);
  }

  turn(now: number, force: boolean): number {
    return this.#core.turn(now, force);
  }

  due(now: number): number {
    return this.#core.due(now);
  }

  takeUtterance(handle: number): Utterance | undefined {
    return this.#core.takeUtterance(handle);
  }

  watch(handle: number, on: boolean): void {
    this.#core.watch(handle, on);
  }

  linger(handle: number, on: boolean): void {
    this.#core.linger(handle, on);
  }

  openUtterance(handle: number): Utterance | undefined {
    return this.#core.openUtterance(handle);
  }

  flush(handle: number, _now: number): number {
    return this.#core.flush(handle);
  }

  async settle(): Promise<void> {}

  close(handle: number): void {
    this.#live?.close(handle);
  }

  status(handle: number): StreamStatus {
    return this.#core.status(handle);
  }

  destroy(): void {
    this.#live?.destroy();
    this.#live = undefined;
  }

  /**
   * The addon's core.
   * @throws Error after `destroy`, because the addon would follow a null pointer.
   */
  get #core(): NativeCore {
    if (!this.#live) throw new Error('the audio core was destroyed');
    return this.#live;
  }
}

/** Creates the native core of this thread. */
export function createNativeCore(addon: Addon, weights: Uint8Array, options: CoreOptions): AudioCore {
  return new NativeAudioCore(addon, weights, options);
}
