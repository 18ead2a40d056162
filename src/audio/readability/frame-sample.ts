import { fixedLimits } from '../../config/limits/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { sampleBytesOf } from './forms/index.js';

/** A copy of consecutive frames. Plain data, to send to a worker. */
export interface FrameSample {
  /** The format that the client declared. */
  readonly format: StreamFormat;
  /** Whether its first frame is the first of the stream. */
  readonly first: boolean;
  /** Whether every message before its first one ended with a whole PCM sample. */
  readonly aligned: boolean;
  /** The frames, concatenated. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of each frame. */
  readonly lengths: Uint32Array;
  /** Arrival of each frame in ms, on any clock that does not wrap. */
  readonly arrivals: Float64Array;
  /** Share of frames that the stream's own decoder accepted since the first of these, 0 to 1. For PCM always 1. */
  readonly decodes: number;
}

/** Most bytes copied from a stream: 2 s of `pcm16` at 48 kHz. */
const mostSampleBytes = fixedLimits.audioSample.value;
/** Most frames copied. */
const mostSampleFrames = 1024;
/** Initial buffer of a sampler for a coded stream, in bytes. A sampler for PCM allocates its whole buffer at once. */
const codedBytes = 16_384;
const sampleSeconds = 2.1;

/** Copies frames until it has enough of them, within fixed bounds. */
export class FrameSampler {
  #bytes: Uint8Array<ArrayBuffer>;
  #used = 0;
  readonly #lengths: number[] = [];
  readonly #arrivals: number[] = [];
  #full = false;

  constructor(format: StreamFormat) {
    const raw = sampleBytesOf(format) * format.channels * format.sampleRate;
    const bytes = raw === 0 ? codedBytes : Math.ceil(sampleSeconds * raw);
    this.#bytes = new Uint8Array(Math.min(mostSampleBytes, bytes));
  }

  /** Number of copied frames. */
  get frames(): number {
    return this.#lengths.length;
  }

  /** Bytes of memory that the copies occupy. */
  get held(): number {
    return this.#bytes.length;
  }

  /** Whether it has enough frames. */
  get full(): boolean {
    return this.#full;
  }

  /**
   * @param frame copied before this returns.
   * @param arrival ms.
   */
  add(frame: Uint8Array, arrival: number): void {
    const used = this.#used + frame.length;
    if (this.#full || frame.length === 0) return;
    if (used > mostSampleBytes || this.#lengths.length >= mostSampleFrames) {
      this.#full = true;
      return;
    }
    if (used > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(mostSampleBytes, Math.max(used, 2 * this.#bytes.length)));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    this.#bytes.set(frame, this.#used);
    this.#used = used;
    this.#lengths.push(frame.length);
    this.#arrivals.push(arrival);
  }

  /** The copied frames. The caller owns them afterwards; do not use this sampler any more. */
  sample(about: Pick<FrameSample, 'format' | 'first' | 'aligned' | 'decodes'>): FrameSample {
    return {
      ...about,
      bytes: this.#bytes.subarray(0, this.#used),
      lengths: Uint32Array.from(this.#lengths),
      arrivals: Float64Array.from(this.#arrivals),
    };
  }
}

/** The frames of a sample, as views of its bytes. */
export const framesOf = ({ bytes, lengths }: Pick<FrameSample, 'bytes' | 'lengths'>): Uint8Array[] => {
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
};
