const firstBound = 0.0005;
const growth = 1.1;
const perLog = 1 / Math.log(growth);

/** Upper bounds of the buckets of every histogram, in seconds: from half a millisecond to 20 s, each 10 % above the last. */
export const histogramBounds: readonly number[] = Array.from(
  { length: 112 },
  (_, bucket) => firstBound * growth ** bucket,
);

const last = histogramBounds.length;

/** Number of the bucket of a value: the first whose bound it does not exceed, or one past the last bucket. */
export const bucketOf = (seconds: number): number => {
  if (!(seconds > firstBound)) return 0;
  let bucket = Math.min(last, Math.ceil(Math.log(seconds / firstBound) * perLog));
  // The logarithm is not exact: a value at a bound may be computed into the bucket on either side of it.
  if (seconds <= histogramBounds[bucket - 1]!) bucket--;
  else if (bucket < last && seconds > histogramBounds[bucket]!) bucket++;
  return bucket;
};

/** Cells of a histogram in a row: a count for each bucket, one count for larger values, and the sum. */
export const histogramCells = last + 2;
