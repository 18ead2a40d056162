/** Number of zero crossings of the filter on each side. */
const crossings = 16;
/**
 * Share of the band that the filter passes unchanged. In the rest of the band the filter falls off, so that no tone
 * above the band is mirrored into the band.
 */
const passed = 0.92;

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** Returns a windowed sinc (Blackman window) at a distance in zero crossings. */
const filterAt = (distance: number): number => {
  if (Math.abs(distance) >= crossings) return 0;
  const angle = (Math.PI * distance) / crossings;
  const window = 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
  const x = Math.PI * distance;
  return window * (x === 0 ? 1 : Math.sin(x) / x);
};

/** Changes the rate of mono audio that arrives in pieces. The result does not depend on the pieces. */
export class Resampler {
  readonly #step: number;
  readonly #phases: number;
  readonly #half: number;
  readonly #filters: readonly Float32Array[];
  #waiting: Float32Array;
  /** Index in `#waiting` of the sample at or before the next output sample. */
  #at: number;
  /** Distance of the next output sample from the sample with the index `#at`, in units of 1 / `#phases` of a sample. */
  #phase = 0;

  /** @param from whole Hz of the input. @param to whole Hz of the output. */
  constructor(from: number, to: number) {
    const divisor = greatestDivisor(from, to);
    this.#phases = to / divisor;
    this.#step = from / divisor;
    const band = passed * Math.min(1, to / from);
    this.#half = Math.ceil(crossings / band);
    this.#filters = Array.from({ length: this.#phases }, (_, phase) => {
      const taps = Float32Array.from({ length: 2 * this.#half }, (_tap, place) =>
        filterAt((place - this.#half + 1 - phase / this.#phases) * band),
      );
      const sum = taps.reduce((total, tap) => total + tap, 0);
      return taps.map((tap) => tap / sum);
    });
    // Silence precedes the first sample, so that the first output sample is at the time of the first input sample.
    this.#waiting = new Float32Array(this.#half - 1);
    this.#at = this.#half - 1;
  }

  /** Adds input samples, and returns the output samples that are now complete (all -1..1). @param input copied */
  push(input: Float32Array): Float32Array {
    const all = new Float32Array(this.#waiting.length + input.length);
    all.set(this.#waiting);
    all.set(input, this.#waiting.length);
    const output: number[] = [];
    while (this.#at + this.#half < all.length) {
      const filter = this.#filters[this.#phase]!;
      const first = this.#at - this.#half + 1;
      let sum = 0;
      for (let tap = 0; tap < filter.length; tap++) sum += filter[tap]! * all[first + tap]!;
      output.push(sum);
      const phase = this.#phase + this.#step;
      this.#at += Math.floor(phase / this.#phases);
      this.#phase = phase % this.#phases;
    }
    const kept = Math.max(0, this.#at - this.#half + 1);
    this.#waiting = all.slice(kept);
    this.#at -= kept;
    return Float32Array.from(output);
  }
}

/** Returns signed 16-bit samples. Values outside -1..1 are clipped. */
export const toPcm16 = (samples: Float32Array): Int16Array<ArrayBuffer> =>
  Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));

/** Returns the level of samples in dB relative to full scale, at least -60. */
export const levelOf = (samples: Int16Array): number => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const mean = samples.length === 0 ? 0 : Math.sqrt(sum / samples.length) / 32_768;
  return Math.max(-60, 20 * Math.log10(Math.max(mean, 1e-3)));
};
