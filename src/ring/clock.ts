/**
 * Number of measurements of the offset. Only the measurement with the smallest error is used, because a thread may be
 * suspended during a measurement.
 */
const readings = 64;

/**
 * Returns the offset between `process.hrtime` and `performance.now()`. Both read the same monotonic clock, but
 * `performance.now()` counts from the start of each thread. With the offset added, all threads of a process read equal
 * times, even if the wall clock changes.
 *
 * Each measurement reads `process.hrtime` between two readings of `performance.now()`. Its error is at most the time
 * between these two readings.
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
 * Returns the time for ring records: monotonic milliseconds with fractions. All threads of the process agree to a
 * few microseconds. A record stores this time in microseconds, modulo 2^32 ms (49 days).
 */
export const ringClock = (): number => performance.now() + offset;

/**
 * Returns the whole ms from `arrival` to `now`, two readings of `ringClock`. Either may come from a record. The clocks
 * of two threads differ slightly, so a negative difference becomes 0. Otherwise a new record could appear 49 days old.
 */
export const ringAge = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);

/** Number of `ringTicks` per second. */
export const ticksPerSecond = 100_000;

/**
 * Converts a reading of `ringClock` to a uint32 in steps of 10 us. The result wraps after twelve hours, so it is
 * for short ages only.
 */
export const ringTicks = (reading: number): number => (reading * (ticksPerSecond / 1000)) >>> 0;

/** Returns the number of ticks between two `ringTicks`, never below 0. */
export const ticksBetween = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);
