import { normaliseWords, wordError } from '../../src/app/sample/word-error.js';
import { bootstrapInterval } from '../bootstrap.js';

/** Counts of a decoded sentence. */
export interface Counts {
  /** Number of words in the spoken text. */
  readonly words: number;
  /** Number of word errors in the decoded text. */
  readonly errors: number;
  /** Number of rare words in the spoken text. */
  readonly rare: number;
  /** Number of these rare words that are also in the decoded text. */
  readonly found: number;
}

export const countsOf = (text: string, rare: readonly string[], decoded: string): Counts => {
  const { words, errors } = wordError(text, decoded);
  const written = new Set(normaliseWords(decoded));
  const found = rare.filter((word) => normaliseWords(word).every((part) => written.has(part)));
  return { words, errors, rare: rare.length, found: found.length };
};

const share = (counts: readonly Counts[], part: keyof Counts, whole: keyof Counts): number =>
  counts.reduce((sum, one) => sum + one[part], 0) /
  Math.max(
    1,
    counts.reduce((sum, one) => sum + one[whole], 0),
  );

export const wordErrorOf = (counts: readonly Counts[]): number => share(counts, 'errors', 'words');
export const recallOf = (counts: readonly Counts[]): number => share(counts, 'found', 'rare');

/**
 * Returns the 95 % interval of the difference between two decodes of the same sentences (bootstrap over the sentences).
 * @param of function that computes the share to compare.
 */
export const differenceInterval = (
  counts: readonly Counts[],
  before: readonly Counts[],
  of: (counts: readonly Counts[]) => number,
): readonly [low: number, high: number] =>
  bootstrapInterval(
    counts.length,
    (chosen) => of(chosen.map((index) => counts[index]!)) - of(chosen.map((index) => before[index]!)),
  );
