/** What a try with some number of streams came to. */
export interface Verdict {
  readonly ok: boolean;
  /** Of a try that failed: what was beyond the service level. */
  readonly why?: string;
}

/** A rung of the ladder. */
export interface Rung extends Verdict {
  readonly streams: number;
  readonly seconds: number;
}

export interface CapacityOptions {
  /** Streams to begin with. */
  readonly from: number;
  /** No more than these are tried. */
  readonly most: number;
  /** Factor between rungs while none has failed. */
  readonly factor: number;
  /** Share by which the highest rung that held and the lowest that did not may differ, 0.03 for 3 %. */
  readonly precision: number;
  /** Seconds of each load that is tried during the search. */
  readonly shortHold: number;
  /** Seconds of the last load, which decides. */
  readonly hold: number;
  /** Loads the server; it has recovered from a failed try when this is called again. */
  readonly attempt: (streams: number, seconds: number) => Promise<Verdict>;
  readonly onRung?: (rung: Rung) => void;
}

export interface Capacity {
  /** Most streams that held for the whole time; 0 when not even one did. */
  readonly streams: number;
  /** Whether `most` held: the server may hold more. */
  readonly atLeast: boolean;
  /** What the rung above failed by. */
  readonly boundBy?: string;
  readonly ladder: readonly Rung[];
}

/**
 * Finds the most streams a server holds: up by a factor until a rung fails, halving the gap until it is within the
 * precision, then the whole hold on the highest rung that held, one precision lower after each that fails. On the way a
 * rung fails only when it did twice: what else runs on the machine may spoil one.
 */
export const findCapacity = async (options: CapacityOptions): Promise<Capacity> => {
  const { from, most, factor, precision, shortHold, hold, attempt, onRung } = options;
  const ladder: Rung[] = [];
  let boundBy: string | undefined;
  const climb = async (streams: number, seconds: number): Promise<boolean> => {
    const rung = { streams, seconds, ...(await attempt(streams, seconds)) };
    ladder.push(rung);
    onRung?.(rung);
    if (!rung.ok) boundBy = rung.why;
    return rung.ok;
  };
  const holds = async (streams: number): Promise<boolean> =>
    (await climb(streams, shortHold)) || (await climb(streams, shortHold));

  let low = 0;
  let high: number | undefined;
  for (let streams = Math.min(from, most); high === undefined && low < most; ) {
    if (await holds(streams)) {
      low = streams;
      streams = Math.min(most, Math.max(streams + 1, Math.round(streams * factor)));
    } else high = streams;
  }
  // What fails at the first rung is looked for below, by as large steps.
  while (low === 0 && high !== undefined && high > 1) {
    const streams = Math.max(1, Math.floor(high / factor));
    if (await holds(streams)) low = streams;
    else high = streams;
  }
  while (high !== undefined && low > 0 && high - low > Math.max(1, low * precision)) {
    const streams = Math.round(Math.sqrt(low * high));
    if (streams <= low || streams >= high) break;
    if (await holds(streams)) low = streams;
    else high = streams;
  }
  while (low > 0 && !(await climb(low, hold))) {
    high = low;
    low = Math.min(low - 1, Math.floor(low * (1 - precision)));
  }
  return {
    streams: low,
    atLeast: high === undefined,
    boundBy: high === undefined ? undefined : boundBy,
    ladder,
  };
};
