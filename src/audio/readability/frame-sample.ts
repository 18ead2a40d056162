import { fixedLimits } from '../../config/limits/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { sampleBytesOf } from './forms/index.js';

/** A copy of consecutive frames of a stream. It is plain data, so that it can be sent to a worker. */
export interface FrameSample {
  /** The format that the client declared. */
  readonly format: StreamFormat;
  /** Whether the sample begins with the first frame of the stream. */
  readonly first: boolean;
  /** Whether the message before the sample ended with a complete PCM sample. */
  readonly aligned: boolean;
  /** The frames, concatenated. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Length in bytes of each frame. */
  readonly lengths: Uint32Array;
  /** Arrival time of each frame in ms, on a clock that does not wrap. */
  readonly arrivals: Float64Array;
  /**
   * Share of frames that the stream's own decoder has accepted since the start of this sample, 0 to 1. Always 1 for
   * PCM.
   */
  readonly decodes: number;
}

/** Maximum number of bytes that are copied from a stream: 2 s of `pcm16` at 48 kHz. */
const mostSampleBytes = fixedLimits.audioSample.value;
/** Maximum number of frames copied. */
const mostSampleFrames = 1024;
/**
 * Size in bytes of a sampler's first buffer for a coded stream. For PCM, a sampler allocates its whole buffer at once.
 */
const codedBytes = 16_384;
const sampleSeconds = 2.1;

/** Copies frames of a stream until one of its bounds is reached. */
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

  /** Number of bytes of memory that the copied frames occupy. */
  get held(): number {
    return this.#bytes.length;
  }

  /** Whether the sampler has enough frames. */
  get full(): boolean {
    return this.#full;
  }

  /**
   * @param frame its bytes are copied before the method returns.
   * @param arrival time in ms.
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

  /** Returns the copied frames, which the caller then owns. This sampler must not be used afterwards. */
  sample(about: Pick<FrameSample, 'format' | 'first' | 'aligned' | 'decodes'>): FrameSample {
    return {
      ...about,
      bytes: this.#bytes.subarray(0, this.#used),
      lengths: Uint32Array.from(this.#lengths),
      arrivals: Float64Array.from(this.#arrivals),
    };
  }
}

/** Returns the frames of a sample, as views of its bytes. */
export const framesOf = ({ bytes, lengths }: Pick<FrameSample, 'bytes' | 'lengths'>): Uint8Array[] => {
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
};
