/** Returns a small seeded generator of uniform numbers in [0, 1). Source of the recurrence: mulberry32, public domain. */
export const uniform = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const rows = 14;

/**
 * Returns pink noise by the Voss-McCartney method: the sum of several rows of white noise. Each row changes half as
 * often as the row before it. The same seed gives the same samples.
 */
export const pinkNoise = (samples: number, seed: number): Float64Array => {
  const next = uniform(seed);
  const held = Array.from({ length: rows }, () => next() - 0.5);
  let sum = held.reduce((total, value) => total + value, 0);
  const noise = new Float64Array(samples);
  for (let index = 0; index < samples; index++) {
    const row = index === 0 ? 0 : Math.min(rows - 1, 31 - Math.clz32(index & -index));
    const fresh = next() - 0.5;
    sum += fresh - held[row]!;
    held[row] = fresh;
    noise[index] = sum + next() - 0.5;
  }
  return noise;
};

const power = (samples: ArrayLike<number>): number => {
  let sum = 0;
  for (let index = 0; index < samples.length; index++) sum += samples[index]! ** 2;
  return samples.length === 0 ? 0 : sum / samples.length;
};

/**
 * Mixes pink noise into a recording.
 * @param ratio signal-to-noise ratio in dB. The signal's power is measured on `speech`, so pauses do not count.
 * @returns new samples.
 */
export const addPinkNoise = (pcm: Int16Array, speech: Int16Array, ratio: number, seed = 1): Int16Array => {
  const noise = pinkNoise(pcm.length, seed);
  const gain = Math.sqrt(power(speech) / Math.max(power(noise), Number.EPSILON) / 10 ** (ratio / 10));
  return Int16Array.from(pcm, (sample, index) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample + noise[index]! * gain))),
  );
};
