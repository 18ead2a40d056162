/** Result of one load test. */
export interface Verdict {
  readonly ok: boolean;
  /** Names the limit of the service level that a failed test exceeded. */
  readonly why?: string;
}

/** One load test of the search: number of streams and result. */
export interface Rung extends Verdict {
  readonly streams: number;
  readonly seconds: number;
}

export interface CapacityOptions {
  /** Number of streams of the first rung (load test). */
  readonly from: number;
  /** Maximum number of streams to test. */
  readonly most: number;
  /** Ratio of the stream numbers of two successive rungs, while all rungs pass. */
  readonly factor: number;
  /**
   * The search ends when the relative gap between the highest passed and the lowest failed rung is at most this value;
   * 0.03 is 3 %.
   */
  readonly precision: number;
  /** Duration in seconds of each load test during the search. */
  readonly shortHold: number;
  /** Duration in seconds of the last load test, which decides the result. */
  readonly hold: number;
  /** Runs one load test. After a failed test, the caller waits until the server has recovered. */
  readonly attempt: (streams: number, seconds: number) => Promise<Verdict>;
  readonly onRung?: (rung: Rung) => void;
}

export interface Capacity {
  /** Maximum number of streams that passed for `hold` seconds; 0 if not even one stream passed. */
  readonly streams: number;
  /** Whether `most` streams passed, so that the real capacity may be higher. */
  readonly atLeast: boolean;
  /** Limit that the last failed test exceeded; undefined if every test passed. */
  readonly boundBy?: string;
  readonly ladder: readonly Rung[];
}

/**
 * Finds the maximum number of streams that a server sustains. The number rises by a factor until a test fails. Then the
 * search halves the gap until it is within the precision.
 *
 * Finally, the highest number that passed must pass for `hold` seconds. After each failure the number is reduced by the
 * share `precision`. During the search, a number counts as failed only after two failed tests, because other programs
 * on the machine may disturb one test.
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
  // If the first test fails, the number of streams is divided by the factor until a test passes.
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
