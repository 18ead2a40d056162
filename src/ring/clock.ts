// `performance.now()` counts from each thread's own start. Both clocks below are the machine's monotonic clock, so
// adding the difference once makes the threads of a process agree, whatever happens to the wall clock.
const offset = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();

/**
 * The clock of ring records: monotonic milliseconds as a uint32 that wraps after 49 days; the same on every thread of
 * the process.
 */
export const ringClock = (): number => (performance.now() + offset) >>> 0;

/** Ms between two readings of `ringClock`, correct across a wrap. */
export const ringAge = (arrival: number, now: number): number => (now - arrival) >>> 0;
