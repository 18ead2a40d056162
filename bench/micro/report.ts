import type { SelfNoiseRow as AnyNoise, Skip as AnySkip, Row } from '../report/envelope.js';

export const suiteNames = [
  'codec',
  'resample',
  'vad',
  'ring',
  'cosine',
  'encoder',
  'turn',
  'paced',
  'front',
] as const;
export type SuiteName = (typeof suiteNames)[number];

/** A row of a suite. `spread` is the interquartile range of the first cost in the row. */
export type Result = Row & { readonly suite: SuiteName; readonly spread: number };
export type SelfNoiseRow = AnyNoise & { readonly suite: SuiteName };
export type Skip = AnySkip & { readonly suite: SuiteName };

/** Results of one suite. */
export interface SuiteOutcome {
  readonly results: readonly Result[];
  readonly selfNoise: readonly SelfNoiseRow[];
  readonly skipped: readonly Skip[];
  /** Version of each contender, by name. */
  readonly versions: Readonly<Record<string, string>>;
}
