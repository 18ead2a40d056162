/**
 * Difference between the system's monotonic clock and `performance.now`, which starts at zero in every thread. If the
 * thread is interrupted between the two readings, the difference is too small. So the largest of 16 differences is
 * used.
 */
const offset = Math.max(
  ...Array.from({ length: 16 }, () => Number(process.hrtime.bigint()) / 1e6 - performance.now()),
);

/** Returns the time in ms on a clock that all threads share. */
export const now = (): number => performance.now() + offset;
