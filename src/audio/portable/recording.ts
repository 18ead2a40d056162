import { coreRate } from '../interface/index.js';
import type { DetectorRate } from './detector.js';
import { Resampler } from './resampler.js';
import { SampleQueue } from './sample-queue.js';

/**
 * What an utterance may still need of a stream's audio, kept at the rate at which the detector takes it and handed out at
 * 16 kHz; what native/stream/recording.h is to the native core. Positions are samples at 16 kHz.
 */
export class Recording {
  readonly #rate: DetectorRate;
  /** Samples at 16 kHz that a kept one lasts. */
  readonly #scale: number;
  /** Samples to either side of one that the filter to 16 kHz looks at. */
  readonly #reach: number;
  readonly #audio = new SampleQueue();
  /** Kept samples before the first of `#audio`. */
  #start = 0;

  /** @param rate Hz of what is kept */
  constructor(rate: DetectorRate) {
    this.#rate = rate;
    this.#scale = coreRate / rate;
    this.#reach = rate === coreRate ? 0 : new Resampler(rate).reach;
  }

  get bytes(): number {
    return this.#audio.bytes;
  }

  /** Samples at 16 kHz that have to follow a range for its last samples to be exact: what the filter needs. */
  get lookahead(): number {
    return this.#reach * this.#scale;
  }

  push(samples: Int16Array): void {
    this.#audio.push(samples);
  }

  /**
   * A copy at 16 kHz. What is before or behind all audio counts as silence.
   * @param first not before what was forgotten
   * @param next samples that follow the last one pushed
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
    const wide = this.#rate === coreRate ? source : new Resampler(this.#rate).process(source);
    return wide.slice(lead, wanted);
  }

  /** Forgets what lies before `from`. */
  forget(from: number): void {
    const needed = Math.floor(from / this.#scale) - this.#reach;
    if (needed <= this.#start) return;
    this.#audio.drop(needed - this.#start);
    this.#start = needed;
  }
}
