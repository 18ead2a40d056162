import type { SpokenWord } from './material.js';

/** The words that a client shows from the time `at` on. */
export interface Shown {
  /** Time in ms since the first sample. */
  readonly at: number;
  readonly words: readonly string[];
}

/**
 * Aligns two texts at the least cost. Returns the pairs of positions with equal words, in ascending order. Among
 * equally cheap alignments, chooses the pairs closest to the beginning. So a partial text matches the beginning of the
 * full text, even if later words repeat it.
 */
export const matched = (a: readonly string[], b: readonly string[]): (readonly [number, number])[] => {
  // The common beginning of both texts needs no table and is skipped. Growing texts have most of their words in common.
  let first = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first++;
  const rows = a.length - first;
  const columns = b.length - first;
  /** For each pair of positions, the cost of aligning the rest of both texts from there on. */
  const cost = Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns + 1 }, (_, column) => (row === rows ? columns - column : rows - row)),
  );
  const differs = (row: number, column: number): number => (a[first + row] === b[first + column] ? 0 : 1);
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      cost[row]![column] = Math.min(
        cost[row + 1]![column + 1]! + differs(row, column),
        cost[row + 1]![column]! + 1,
        cost[row]![column + 1]! + 1,
      );
  const pairs = Array.from({ length: first }, (_, place): readonly [number, number] => [place, place]);
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const same = differs(row, column) === 0;
    if (cost[row]![column] === cost[row + 1]![column + 1]! + (same ? 0 : 1)) {
      if (same) pairs.push([first + row, first + column]);
      row++;
      column++;
    } else if (cost[row]![column] === cost[row + 1]![column]! + 1) row++;
    else column++;
  }
  return pairs;
};

/** A word of the last text. Times are ms since the first sample. */
export interface ShownWord {
  readonly end: number;
  /** Time from which on the word was shown without interruption. */
  readonly since: number;
  /**
   * Earlier time at which the word was shown and then removed, or at which other words were shown in its place.
   * Infinite if the word was shown once and stayed.
   */
  readonly covered: number;
}

export interface WordLags {
  /** The words of the last text that were spoken, in their order. */
  readonly words: readonly ShownWord[];
  /** For each word of the last text, the ms from its end until it was shown for good. */
  readonly lags: readonly number[];
  /** Number of words that were shown and later changed or removed. */
  readonly revisions: number;
  /** For each utterance, the ms from its end until all its words in the last text were shown for good. */
  readonly textLags: readonly number[];
}

/**
 * Maximum ms before the end of a word at which it may already be shown. Recognisers guess words, and alignments differ.
 */
const early = 500;

/**
 * Returns the delays until words were shown for good, and the number of revised words. Each shown text is compared only
 * with the part of the last text that had been spoken by then.
 *
 * Otherwise a sentence that is spoken twice could match wrongly. If its first occurrence was recognised differently,
 * the early words would match the second occurrence.
 */
export const lagsOf = (spoken: readonly SpokenWord[], shown: readonly Shown[]): WordLags => {
  const final = shown.at(-1)?.words ?? [];
  const reference = spoken.map(({ word }) => word);
  const found = new Map(matched(reference, final));
  const spokenAt = [...found].map(([place, shownPlace]) => ({ shownPlace, end: spoken[place]!.end }));
  /** Returns how many words of the last text had been spoken by a time. */
  const spokenBy = (at: number): number =>
    spokenAt.find(({ end }) => end - early > at)?.shownPlace ?? final.length;
  /** For each word of the last text, the ms from which on it was shown without interruption. */
  const since = new Array<number>(final.length).fill(Number.POSITIVE_INFINITY);
  /** For each word of the last text, the ms at which the shown text first reached it. */
  const reached = new Array<number>(final.length).fill(Number.POSITIVE_INFINITY);
  let revisions = 0;
  for (const [index, { at, words }] of shown.entries()) {
    const before = shown[index - 1]?.words ?? [];
    revisions += before.length - matched(before, words).length;
    const pairs = matched(words, final.slice(0, spokenBy(at)));
    const there = new Set(pairs.map(([, place]) => place));
    // Behind the last pair of equal words, the shown text may have further words. They are other forms of the words
    // that follow in the last text.
    const [lastShown, lastPlace] = pairs.at(-1) ?? [-1, -1];
    const end = lastPlace + words.length - lastShown;
    for (let place = 0; place < end && place < final.length; place++)
      reached[place] = Math.min(reached[place]!, at);
    for (let place = 0; place < final.length; place++) {
      if (!there.has(place)) since[place] = Number.POSITIVE_INFINITY;
      else if (since[place] === Number.POSITIVE_INFINITY) since[place] = at;
    }
  }
  const words = [...found].map(([place, shownPlace]): ShownWord => {
    const covered =
      reached[shownPlace]! < since[shownPlace]! ? reached[shownPlace]! : Number.POSITIVE_INFINITY;
    return { end: spoken[place]!.end, since: since[shownPlace]!, covered };
  });
  const lags = words.map((word) => word.since - word.end);
  const textLags: number[] = [];
  let whole = Number.NEGATIVE_INFINITY;
  for (const [place, { end, last }] of spoken.entries()) {
    whole = Math.max(whole, since[found.get(place) ?? -1] ?? whole);
    if (!last) continue;
    if (whole > Number.NEGATIVE_INFINITY) textLags.push(whole - end);
    whole = Number.NEGATIVE_INFINITY;
  }
  return { words, lags, revisions, textLags };
};
