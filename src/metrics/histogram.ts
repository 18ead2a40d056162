const firstBound = 0.0005;
const growth = 1.1;
const perLog = 1 / Math.log(growth);

/**
 * Upper bounds of the buckets of all histograms, in seconds: from 0.5 ms to 20 s. Each bound is 10 % above the previous
 * bound.
 */
export const histogramBounds: readonly number[] = Array.from(
  { length: 112 },
  (_, bucket) => firstBound * growth ** bucket,
);

const last = histogramBounds.length;

/**
 * Returns the bucket number of a value: the first bucket with a bound at or above the value. A value above all bounds
 * gets the number after the last bucket.
 */
export const bucketOf = (seconds: number): number => {
  if (!(seconds > firstBound)) return 0;
  let bucket = Math.min(last, Math.ceil(Math.log(seconds / firstBound) * perLog));
  // The logarithm is inexact, so a value at a bound may get either adjacent bucket. These lines correct the number.
  if (seconds <= histogramBounds[bucket - 1]!) bucket--;
  else if (bucket < last && seconds > histogramBounds[bucket]!) bucket++;
  return bucket;
};

/** Number of cells of a histogram in a row: one count per bucket, one count for larger values, and the sum. */
export const histogramCells = last + 2;
