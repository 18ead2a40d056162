import { fixedLimits } from '../../config/limits/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { sampleBytesOf } from './forms/index.js';

/** A copy of frames that came one after another. Plain data: it goes to a worker. */
export interface FrameSample {
  /** As the client declared it. */
  readonly format: StreamFormat;
  /** Whether its first frame is the first of the stream. */
  readonly first: boolean;
  /** Whether no message before its first one ended within a sample of PCM. */
  readonly aligned: boolean;
  /** The frames, one behind the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of each. */
  readonly lengths: Uint32Array;
  /** Ms at which each came, on any clock that does not wrap. */
  readonly arrivals: Float64Array;
  /** Share of the frames since the first of these that the stream's own decoder took, 0 to 1; of PCM always 1. */
  readonly decodes: number;
}

/** Most bytes that are copied of a stream: 2 s of `pcm16` at 48 kHz. */
const mostSampleBytes = fixedLimits.audioSample.value;
/** Most frames. */
const mostSampleFrames = 1024;
/** Bytes that a sampler begins with for a coded stream; one of PCM begins with all that it needs. */
const codedBytes = 16_384;
const sampleSeconds = 2.1;

/** Copies frames until there are enough of them, within fixed bounds. */
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

  /** Frames that were copied. */
  get frames(): number {
    return this.#lengths.length;
  }

  /** Bytes of memory that the copies take. */
  get held(): number {
    return this.#bytes.length;
  }

  /** Whether no more is copied. */
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

  /** What was copied. It is given away: this sampler must not be used any more. */
  sample(about: Pick<FrameSample, 'format' | 'first' | 'aligned' | 'decodes'>): FrameSample {
    return {
      ...about,
      bytes: this.#bytes.subarray(0, this.#used),
      lengths: Uint32Array.from(this.#lengths),
      arrivals: Float64Array.from(this.#arrivals),
    };
  }
}

/** The frames of a sample, where they lie in it. */
export const framesOf = ({ bytes, lengths }: Pick<FrameSample, 'bytes' | 'lengths'>): Uint8Array[] => {
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
};
