/** Samples before one by which it is predicted. */
const order = 12;
/** Fewest samples, and least share of their energy that is no constant, of which anything is said. */
const fewestSamples = 400;

/**
 * How well samples are predicted by those before them, in dB: the gain of linear prediction (autocorrelation method, Levinson's
 * recursion). Speech and music have 5 dB and more. Noise, coded audio and samples that are read in a wrong form have next to none.
 * @param parts stretches of samples; none is predicted from another.
 * @returns 0 where there is too little, or nothing but one value.
 */
export const predictability = (parts: readonly Float32Array[]): number => {
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  if (count < fewestSamples) return 0;
  let mean = 0;
  for (const part of parts) for (const sample of part) mean += sample / count;
  const sums = new Float64Array(order + 1);
  for (const part of parts) addProducts(sums, part, mean);
  // Less than a hundredth of a step: nothing but one value.
  if (sums[0]! / count < 1e-4) return 0;
  return predictionGain(sums);
};

const addProducts = (sums: Float64Array, part: Float32Array, mean: number): void => {
  const centred = part.map((sample) => sample - mean);
  for (let lag = 0; lag <= order; lag++) {
    let sum = 0;
    for (let index = lag; index < centred.length; index++) sum += centred[index]! * centred[index - lag]!;
    sums[lag]! += sum;
  }
};

const predictionGain = (sums: Float64Array): number => {
  // White noise 90 dB below keeps pure tones from a division by nothing.
  let error = sums[0]! * (1 + 1e-9);
  const coefficients = new Float64Array(order + 1);
  for (let step = 1; step <= order; step++) {
    let sum = sums[step]!;
    for (let index = 1; index < step; index++) sum -= coefficients[index]! * sums[step - index]!;
    const reflection = sum / error;
    const before = coefficients.slice();
    coefficients[step] = reflection;
    for (let index = 1; index < step; index++)
      coefficients[index] = before[index]! - reflection * before[step - index]!;
    error *= 1 - reflection * reflection;
    if (!(error > sums[0]! * 1e-9)) return 90;
  }
  return 10 * Math.log10(sums[0]! / error);
};
