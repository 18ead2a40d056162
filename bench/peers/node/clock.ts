/**
 * Difference between the system's monotonic clock and `performance.now`, which starts at zero in every thread. An interruption between
 * the two readings makes the difference too small, so the largest of 16 differences is used.
 */
const offset = Math.max(
  ...Array.from({ length: 16 }, () => Number(process.hrtime.bigint()) / 1e6 - performance.now()),
);

/** Returns the time in ms on a clock that all threads share. */
export const now = (): number => performance.now() + offset;
