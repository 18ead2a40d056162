import { type PcmForm, readSamples } from './forms/index.js';

/**
 * Bounds for the ratio of two energies. From `stereoFrom` on, samples are certainly stereo; up to `monoUpTo` they are
 * certainly mono.
 */
const stereoFrom = 1.2;
const monoUpTo = 1.08;
/** Number of samples in a block. */
const blockSamples = 512;
/** Minimum number of blocks that must contain sound. */
const fewestBlocks = 8;

/**
 * Returns the number of channels of interleaved samples; null if uncertain. Compares two energies in each block: those
 * of the two channels, or those of the differences within and between pairs of samples. In stereo, the same one of the
 * two energies is larger in most blocks. In mono, the larger one changes from block to block.
 */
export const channelsOf = (bytes: Uint8Array, form: PcmForm): 1 | 2 | null => {
  const samples = readSamples(bytes, form);
  const steps: number[] = [];
  const levels: number[] = [];
  for (let from = 0; from + blockSamples < samples.length; from += blockSamples) {
    const { step, level } = compare(samples.subarray(from, from + blockSamples + 1));
    steps.push(step);
    levels.push(level);
  }
  if (steps.filter((step) => !Number.isNaN(step)).length < fewestBlocks) return null;
  const ratio = Math.exp(Math.max(Math.abs(median(steps)), Math.abs(median(levels))));
  if (ratio >= stereoFrom) return 2;
  return ratio <= monoUpTo ? 1 : null;
};

/**
 * Returns the logarithms of two energy ratios. `step`: energy of the differences within pairs of samples, divided by
 * the energy of the differences between pairs. `level`: energy of the first channel, divided by the energy of the
 * second channel. Both are NaN for silence.
 */
const compare = (block: Float32Array): { readonly step: number; readonly level: number } => {
  let within = 0;
  let between = 0;
  let left = 0;
  let right = 0;
  for (let index = 0; index + 2 < block.length; index += 2) {
    const [first, second, next] = [block[index]!, block[index + 1]!, block[index + 2]!];
    within += (second - first) ** 2;
    between += (next - second) ** 2;
    left += first ** 2;
    right += second ** 2;
  }
  if (within + between === 0) return { step: Number.NaN, level: Number.NaN };
  return { step: Math.log((within + 1) / (between + 1)), level: Math.log((left + 1) / (right + 1)) };
};

const median = (values: readonly number[]): number => {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
};
