// `performance.now` starts anew in every thread; the system's monotonic clock does not.
const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** ms on a clock all threads share. */
export const now = (): number => performance.now() + offset;
