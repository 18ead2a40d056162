/** The result of a try with some number of streams. */
export interface Verdict {
  readonly ok: boolean;
  /** The limit of the service level that a failed try exceeded. */
  readonly why?: string;
}

/** A rung of the ladder: a number of streams that was tried. */
export interface Rung extends Verdict {
  readonly streams: number;
  readonly seconds: number;
}

export interface CapacityOptions {
  /** Number of streams of the first rung. */
  readonly from: number;
  /** Largest number of streams tried. */
  readonly most: number;
  /** Factor between rungs until one fails. */
  readonly factor: number;
  /** Largest relative gap between the highest rung that held and the lowest that failed; 0.03 is 3 %. */
  readonly precision: number;
  /** Seconds of each load during the search. */
  readonly shortHold: number;
  /** Seconds of the last load, which decides the result. */
  readonly hold: number;
  /** Loads the server. It is called again only after the server has recovered from a failed try. */
  readonly attempt: (streams: number, seconds: number) => Promise<Verdict>;
  readonly onRung?: (rung: Rung) => void;
}

export interface Capacity {
  /** Most streams that held for the whole time; 0 if even one stream failed. */
  readonly streams: number;
  /** True if `most` held: the capacity may be higher. */
  readonly atLeast: boolean;
  /** Why the rung above failed. */
  readonly boundBy?: string;
  readonly ladder: readonly Rung[];
}

/**
 * Finds the most streams that a server holds. The number rises by a factor until a rung fails. Then the gap is halved
 * down to the precision. Last, the highest rung that held must hold for the whole time; after each failure the next
 * try is one precision lower. During the search a rung must fail twice, because other programs on the machine may
 * spoil one try.
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
  // If the first rung fails, the search goes down in equally large steps.
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
