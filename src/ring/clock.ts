/** Number of measurements. The one that took the least time counts: a thread may be suspended during a measurement. */
const readings = 64;

/**
 * Measures the difference between `process.hrtime`, which counts from the start of the machine, and `performance.now()`,
 * which counts from the start of each thread. Both read the same monotonic clock, so adding the difference once makes the
 * threads of a process agree, even when the wall clock is changed. Each measurement reads `process.hrtime` between two
 * readings of `performance.now()`; its error is at most the time between those two.
 */
const measureOffset = (): number => {
  let offset = 0;
  let tightest = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < readings; reading++) {
    const before = performance.now();
    const machine = Number(process.hrtime.bigint()) / 1e6;
    const after = performance.now();
    if (after - before >= tightest) continue;
    tightest = after - before;
    offset = machine - (before + after) / 2;
  }
  return offset;
};

const offset = measureOffset();

/**
 * The clock of ring records: monotonic milliseconds with fractions, the same on every thread of the process to a few
 * microseconds. A record stores it in microseconds, modulo 2^32 ms, which is 49 days.
 */
export const ringClock = (): number => performance.now() + offset;

/**
 * Whole ms between two readings of `ringClock`, one or both of which may be read from a record. Never below 0: the clocks
 * of two threads may differ a little, and a record that has just arrived must not seem 49 days old.
 */
export const ringAge = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);

/** Number of `ringTicks` in a second. */
export const ticksPerSecond = 100_000;

/** A reading of `ringClock` in steps of 10 us as a uint32. It wraps after twelve hours, so it serves for short ages only. */
export const ringTicks = (reading: number): number => (reading * (ticksPerSecond / 1000)) >>> 0;

/** Ticks between two `ringTicks`, never below 0. */
export const ticksBetween = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);
