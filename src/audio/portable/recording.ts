import { coreRate } from '../interface/index.js';
import type { DetectorRate } from './detector.js';
import { Resampler } from './resampler.js';
import { SampleQueue } from './sample-queue.js';

/**
 * Stores the part of a stream's audio that later utterances may contain. Stores audio at the detector's rate and
 * returns it at 16 kHz. Corresponds to native/stream/recording.h. Positions count samples at 16 kHz.
 */
export class Recording {
  /** Number of samples at 16 kHz for each stored sample. */
  readonly #scale: number;
  /** Number of stored samples that the filter to 16 kHz reads on either side of a sample. */
  readonly #reach: number;
  readonly #audio = new SampleQueue();
  /** Position of the first sample of `#audio`, counted in stored samples. */
  #start = 0;

  /** @param rate Hz of the stored samples */
  constructor(private readonly rate: DetectorRate) {
    this.#scale = coreRate / rate;
    this.#reach = rate === coreRate ? 0 : new Resampler(rate).reach;
  }

  get bytes(): number {
    return this.#audio.bytes;
  }

  /** Number of 16 kHz samples that must exist behind a range, because the filter reads beyond the range's end. */
  get lookahead(): number {
    return this.#reach * this.#scale;
  }

  push(samples: Int16Array): void {
    this.#audio.push(samples);
  }

  /**
   * Returns a copy of a range at 16 kHz. Positions outside the stored audio give silence.
   * @param first must not lie before samples that `forget` removed
   * @param next samples that follow the last pushed sample
   */
  copy(first: number, last: number, next: Int16Array): Int16Array {
    const from = Math.max(this.#start, Math.floor(first / this.#scale) - this.#reach);
    const kept = this.#audio.slice(from - this.#start, this.#audio.length);
    const lead = first - from * this.#scale;
    const wanted = lead + last - first;
    const inputs = Math.ceil(wanted / this.#scale) + this.#reach;
    const source = new Int16Array(inputs);
    source.set(kept.subarray(0, inputs));
    if (inputs > kept.length) source.set(next.subarray(0, inputs - kept.length), kept.length);
    const wide = this.rate === coreRate ? source : new Resampler(this.rate).process(source);
    return wide.slice(lead, wanted);
  }

  /** Removes the samples before `from`. */
  forget(from: number): void {
    const needed = Math.floor(from / this.#scale) - this.#reach;
    if (needed <= this.#start) return;
    this.#audio.drop(needed - this.#start);
    this.#start = needed;
  }
}
