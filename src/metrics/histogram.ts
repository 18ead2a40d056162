const firstBound = 0.0005;
const growth = 1.1;
const perLog = 1 / Math.log(growth);

/** Upper bounds of the buckets of every histogram, in seconds: half a millisecond, then a tenth more each, to 20 s. */
export const histogramBounds: readonly number[] = Array.from(
  { length: 112 },
  (_, bucket) => firstBound * growth ** bucket,
);

const last = histogramBounds.length;

/** Number of the bucket that a value belongs to: the first whose bound it does not exceed; one past the last if none. */
export const bucketOf = (seconds: number): number => {
  if (!(seconds > firstBound)) return 0;
  let bucket = Math.min(last, Math.ceil(Math.log(seconds / firstBound) * perLog));
  // A value at a bound may be taken for one on either side of it.
  if (seconds <= histogramBounds[bucket - 1]!) bucket--;
  else if (bucket < last && seconds > histogramBounds[bucket]!) bucket++;
  return bucket;
};

/** Cells of a histogram in a row: a count for each bucket, one for what exceeds the last bound, and the sum. */
export const histogramCells = last + 2;
