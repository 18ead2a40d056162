/** Number of measurements. The shortest one is used, because a thread may be suspended during a measurement. */
const readings = 64;

/**
 * Measures the offset between `process.hrtime` and `performance.now()`. The first counts from the start of the machine, the second from
 * the start of each thread. Both read the same monotonic clock. With the offset added, the clocks of all threads of a process agree, even
 * if the wall clock is changed. Each measurement reads `process.hrtime` between two readings of `performance.now()`. Its error is at most
 * the time between those two.
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
 * The clock of ring records: monotonic milliseconds with fractions. All threads of the process agree to a few microseconds. A record
 * stores it in microseconds, modulo 2^32 ms (49 days).
 */
export const ringClock = (): number => performance.now() + offset;

/**
 * Whole ms between two readings of `ringClock`, from the clock or from records. Never below 0: the clocks of two threads differ slightly,
 * and a new record must not seem 49 days old.
 */
export const ringAge = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);

/** Number of `ringTicks` in a second. */
export const ticksPerSecond = 100_000;

/** Converts a reading of `ringClock` to a uint32 in steps of 10 us. It wraps after twelve hours, so it is for short ages only. */
export const ringTicks = (reading: number): number => (reading * (ticksPerSecond / 1000)) >>> 0;

/** Ticks between two `ringTicks`, never below 0. */
export const ticksBetween = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);
