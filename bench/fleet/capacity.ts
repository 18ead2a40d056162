/** Result of one load test. */
export interface Verdict {
  readonly ok: boolean;
  /** The limit of the service level that a failed test exceeded. */
  readonly why?: string;
}

/** One load test of the search: its number of streams and its result. */
export interface Rung extends Verdict {
  readonly streams: number;
  readonly seconds: number;
}

export interface CapacityOptions {
  /** Number of streams of the first rung (load test). */
  readonly from: number;
  /** Maximum number of streams to test. */
  readonly most: number;
  /** Ratio between successive rungs until one fails. */
  readonly factor: number;
  /** Maximum relative gap between the highest rung that passed and the lowest rung that failed; 0.03 is 3 %. */
  readonly precision: number;
  /** Duration in seconds of each load test during the search. */
  readonly shortHold: number;
  /** Duration in seconds of the last load test, which decides the result. */
  readonly hold: number;
  /** Loads the server. After a failed test, it is called again only when the server has recovered. */
  readonly attempt: (streams: number, seconds: number) => Promise<Verdict>;
  readonly onRung?: (rung: Rung) => void;
}

export interface Capacity {
  /** Maximum number of streams that passed for `hold` seconds; 0 if even one stream failed. */
  readonly streams: number;
  /** Whether `most` streams passed, so that the capacity may be higher. */
  readonly atLeast: boolean;
  /** Limit that the last failed test exceeded; undefined if no number of streams failed. */
  readonly boundBy?: string;
  readonly ladder: readonly Rung[];
}

/**
 * Finds the maximum number of streams that a server sustains. The number rises by a factor until a test fails. Then the search halves the
 * gap until it is within the precision.
 *
 * Finally, the highest number that passed must pass for `hold` seconds. After each failure the next test is one precision lower. During
 * the search a number must fail twice, because other programs on the machine may disturb one test.
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
  // If the first test fails, the search goes down by the same factor.
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
