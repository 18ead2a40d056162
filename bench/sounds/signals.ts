import { uniform } from '../../src/audio/pink-noise.js';

/** Samples per second of all sounds. */
export const rate = 16_000;

/** Returns a function that draws numbers from a range. The same seed gives the same numbers. */
export const drawn = (seed: number): ((least: number, most: number) => number) => {
  const next = uniform(seed);
  return (least, most) => least + (most - least) * next();
};

/** Returns white noise from -1 to 1. */
export const white = (length: number, seed: number): Float64Array => {
  const next = uniform(seed);
  return Float64Array.from({ length }, () => 2 * next() - 1);
};

/**
 * Filters a signal with a resonant band-pass of second order. Source: R. Bristow-Johnson, "Cookbook formulae for audio
 * EQ biquad filter coefficients", band-pass with constant peak gain.
 * @param centre of the band in Hz: one value for each sample, or one for all.
 * @param quality the centre divided by the width of the band.
 */
export const bandPass = (
  signal: Float64Array,
  centre: number | ((index: number) => number),
  quality: number,
): Float64Array => {
  const out = new Float64Array(signal.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let index = 0; index < signal.length; index++) {
    const angle = (2 * Math.PI * (typeof centre === 'number' ? centre : centre(index))) / rate;
    const alpha = Math.sin(angle) / (2 * quality);
    const x = signal[index]!;
    const y = (alpha * (x - x2) + 2 * Math.cos(angle) * y1 - (1 - alpha) * y2) / (1 + alpha);
    [x2, x1, y2, y1] = [x1, x, y1, y];
    out[index] = y;
  }
  return out;
};

/** Adds `part` to `whole`, starting at the sample `at`. Samples of `part` beyond the end of `whole` are dropped. */
export const addAt = (whole: Float64Array, part: ArrayLike<number>, at: number, gain = 1): void => {
  const length = Math.min(part.length, whole.length - at);
  for (let index = 0; index < length; index++) whole[at + index]! += gain * part[index]!;
};

/** Scales a signal so that its largest value is `peak` (0 to 1), and returns it as samples. */
export const toPcm = (signal: Float64Array, peak = 0.4): Int16Array => {
  const largest = signal.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return Int16Array.from(signal, (value) => Math.round((value / largest) * peak * 32_767));
};

/**
 * Adds reverberation: four comb filters, then two all-pass filters. Source: M. R. Schroeder, "Natural
 * sounding artificial reverberation", 1962.
 * @param decay seconds until the sound has fallen by 60 dB.
 */
export const reverberated = (signal: Float64Array, decay: number, wet: number): Float64Array => {
  const sum = new Float64Array(signal.length);
  for (const delay of [0.0297, 0.0371, 0.0411, 0.0437]) {
    const gain = 10 ** ((-3 * delay) / decay);
    const places = Math.round(delay * rate);
    const comb = Float64Array.from(signal);
    for (let index = places; index < comb.length; index++) comb[index]! += gain * comb[index - places]!;
    addAt(sum, comb, 0, 0.25);
  }
  let passed = sum;
  for (const delay of [0.005, 0.0017]) {
    const places = Math.round(delay * rate);
    const next = new Float64Array(passed.length);
    for (let index = 0; index < next.length; index++) {
      const earlier = index < places ? [0, 0] : [passed[index - places]!, next[index - places]!];
      next[index] = -0.7 * passed[index]! + earlier[0]! + 0.7 * earlier[1]!;
    }
    passed = next;
  }
  return passed.map((value, index) => wet * value + (1 - wet) * signal[index]!);
};
