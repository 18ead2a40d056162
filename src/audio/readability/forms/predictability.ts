/** Number of earlier samples that predict a sample. */
const order = 12;
/** Minimum number of samples for a verdict. */
const fewestSamples = 400;

/**
 * Returns how well earlier samples predict a sample: the gain of linear prediction in dB (autocorrelation method,
 * Levinson's recursion). Speech and music have 5 dB and more. Noise, coded audio and samples read in a wrong format
 * have almost none.
 * @param parts separate stretches of samples. Samples of one stretch do not predict samples of another.
 * @returns 0 for too few samples, or for constant samples.
 */
export const predictability = (parts: readonly Float32Array[]): number => {
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  if (count < fewestSamples) return 0;
  let mean = 0;
  for (const part of parts) for (const sample of part) mean += sample / count;
  const sums = new Float64Array(order + 1);
  for (const part of parts) addProducts(sums, part, mean);
  // Samples count as constant if their root mean square is below 0.01 of a step of the sample format.
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
  // The factor adds white noise at -90 dB. Without it, a pure tone would cause a division by zero.
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
