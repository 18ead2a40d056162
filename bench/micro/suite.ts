import { reasonOf } from '../../src/errors/cochlea-error.js';
import { type CompareOptions, type Comparison, type Contender, compare } from './compare.js';
import type { Result, SelfNoiseRow, Skip, SuiteName, SuiteOutcome } from './report.js';
import { exceeds } from './stats.js';

/** Function that measures the contenders of a suite, and reports the contenders that it skipped. */
export type Suite = (options: CompareOptions) => Promise<SuiteOutcome>;

/** The fields of a row that describe it. Measured numbers are not included. */
export type Labels = Omit<Result, 'suite' | 'spread' | 'ratio' | 'against' | 'beyond_noise'>;

/** A contender with the labels of its row. */
export interface Entry extends Omit<Contender, 'key'> {
  readonly labels: Labels;
  /** Returns additional columns for the row. Called after the rounds. */
  readonly extra?: () => Partial<Result>;
  /** Ends the contender's processes and threads. */
  readonly close?: () => unknown;
}

type Cost = 'us_per_window' | 'ns_per_frame' | 'us_per_call' | 'cpu_ms_per_stream_s' | 'heap_bytes_per_frame';

/** Collects the rows of a suite's report. */
export class SuiteRows implements SuiteOutcome {
  readonly results: Result[] = [];
  readonly selfNoise: SelfNoiseRow[] = [];
  readonly skipped: Skip[] = [];
  readonly versions: Record<string, string> = {};
  readonly #suite: SuiteName;
  readonly #cost: Cost;
  readonly #options: CompareOptions;

  /** @param cost name of the column for the results of the contenders. */
  constructor(suite: SuiteName, cost: Cost, options: CompareOptions) {
    this.#suite = suite;
    this.#cost = cost;
    this.#options = options;
  }

  skip(what: string, why: unknown): void {
    this.skipped.push({ suite: this.#suite, what, why: reasonOf(why) });
  }

  /**
   * Compares contenders, and then closes them.
   * @param title subject of the comparison, for the line on self-noise.
   * @param entries by key; the first one is the subject.
   */
  async add(title: string, entries: ReadonlyMap<string, Entry>): Promise<void> {
    try {
      const contenders = [...entries].map(([key, { against, measure }]) => ({ key, against, measure }));
      const { results, self } = await compare(contenders, this.#options);
      for (const result of results) this.results.push(this.#row(result, entries.get(result.key)!, self));
      this.selfNoise.push({ suite: this.#suite, of: title, ...self });
    } finally {
      for (const { close } of entries.values()) await close?.();
    }
  }

  #row(compared: Comparison, entry: Entry, self: { ratio: number; spread: number }): Result {
    const { key, value, spread, ratio, against } = compared;
    return {
      suite: this.#suite,
      ...entry.labels,
      [this.#cost]: value,
      ...entry.extra?.(),
      spread,
      ...(key === against ? {} : { ratio, against, beyond_noise: exceeds(ratio, self) }),
    };
  }
}
