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
 * The clock of ring records: monotonic milliseconds as a uint32 that wraps after 49 days; the same on every thread of
 * the process, but for the rounding to whole milliseconds.
 */
export const ringClock = (): number => (performance.now() + offset) >>> 0;

/**
 * Ms between two readings of `ringClock`, correct across a wrap. Never below 0: of two threads that read it at once one
 * may be a millisecond ahead, and what has only just come must not look 49 days old.
 */
export const ringAge = (arrival: number, now: number): number => Math.max(0, (now - arrival) | 0);
