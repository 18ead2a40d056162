/** Readings of which the tightest is taken: a thread may be put aside between the two clocks of one. */
const readings = 64;

/**
 * `performance.now()` counts from each thread's own start, `process.hrtime` from the machine's; both are the same
 * monotonic clock, so adding the difference once makes the threads of a process agree, whatever happens to the wall
 * clock. The difference is taken between two readings of the one clock around the other, and is as wrong as those are
 * apart at most.
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
 * microseconds. A record keeps it to the microsecond, and modulo 2^32 ms: 49 days.
 */
export const ringClock = (): number => performance.now() + offset;

/**
 * Whole ms between two readings of `ringClock`, one or both of which may have been through a record. Never below 0: of
 * two threads that read it at once one may be ahead, and what has only just come must not look 49 days old.
 */
export const ringAge = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);

/** Of `ringTicks` in a second. */
export const ticksPerSecond = 100_000;

/** A reading of `ringClock` in steps of 10 us as a uint32, which wraps after twelve hours: for ages known to be short. */
export const ringTicks = (reading: number): number => (reading * (ticksPerSecond / 1000)) >>> 0;

/** Ticks between two `ringTicks`, never below 0. */
export const ticksBetween = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);
