/**
 * Returns a quantile by linear interpolation between the sorted values.
 * @param share 0 to 1
 * @throws RangeError when there are no values.
 */
export const quantile = (values: readonly number[], share: number): number => {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  const high = sorted[Math.ceil(at)]!;
  return low + (high - low) * (at - Math.floor(at));
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the interquartile range. Rounds that other processes disturbed hardly change it. */
export const spread = (values: readonly number[]): number => quantile(values, 0.75) - quantile(values, 0.25);

/** Returns each value divided by the other contender's value in the same round. */
export const paired = (values: readonly number[], others: readonly number[]): number[] => {
  if (values.length !== others.length) throw new RangeError('rounds differ in number');
  return values.map((value, round) => value / others[round]!);
};

/** Noise of a comparison: how much two results differ when one contender is measured twice in each round. */
export interface SelfNoise {
  /** Ratio of the two costs; median over the rounds. */
  readonly ratio: number;
  /** Interquartile range of this ratio. */
  readonly spread: number;
}

/**
 * Returns whether a ratio is significant: whether it differs from 1 by more than the ratio of two results of one
 * contender, plus the spread of that ratio.
 */
export const exceeds = (ratio: number, self: SelfNoise): boolean =>
  Math.abs(Math.log(ratio)) > Math.abs(Math.log(self.ratio)) + self.spread;
