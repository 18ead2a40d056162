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

/** Returns the interquartile range, which is robust against rounds that other processes disturbed. */
export const spread = (values: readonly number[]): number => quantile(values, 0.75) - quantile(values, 0.25);

/** Returns each value divided by another contender's value of the same round. */
export const paired = (values: readonly number[], others: readonly number[]): number[] => {
  if (values.length !== others.length) throw new RangeError('rounds differ in number');
  return values.map((value, round) => value / others[round]!);
};

/** Difference of a contender from itself, measured twice in each round. */
export interface SelfNoise {
  /** Median over the rounds of the ratio of the two costs. */
  readonly ratio: number;
  /** Interquartile range of these ratios. */
  readonly spread: number;
}

/** Whether a ratio of medians is significant: farther from 1 than the difference of a contender from itself plus its spread. */
export const exceeds = (ratio: number, self: SelfNoise): boolean =>
  Math.abs(Math.log(ratio)) > Math.abs(Math.log(self.ratio)) + self.spread;
