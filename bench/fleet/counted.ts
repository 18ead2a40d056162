import type { Counted } from './generator.js';

/** Merges several histograms of the generator. */
export const mergeCounted = (parts: readonly Counted[]): Counted => {
  const counts = new Map<number, number>();
  for (const part of parts) {
    for (const [value, count] of part) counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts].sort(([a], [b]) => a - b);
};

/**
 * Returns a quantile in ms of a histogram whose values are in us.
 * @param share 0 to 1
 * @returns undefined when there are no values.
 */
export const countedQuantile = (counted: Counted, share: number): number | undefined => {
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.max(1, Math.ceil(share * total));
  for (const [value, count] of counted) {
    left -= count;
    if (left <= 0) return value / 1000;
  }
  return undefined;
};
