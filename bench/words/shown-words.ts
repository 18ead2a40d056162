import type { SpokenWord } from './material.js';

/** The words that a client shows from a moment on. */
export interface Shown {
  /** The moment, in ms since the first sample. */
  readonly at: number;
  readonly words: readonly string[];
}

/**
 * Returns the equal words of two texts in the cheapest alignment, as ascending pairs of positions. Among equally cheap alignments,
 * chooses the pairs closest to the beginning. So a partial text matches the beginning of the full text, even if later words repeat it.
 */
export const matched = (a: readonly string[], b: readonly string[]): (readonly [number, number])[] => {
  // Skips the common beginning of both texts, which needs no table. Growing texts share most of their words.
  let first = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first++;
  const rows = a.length - first;
  const columns = b.length - first;
  /** Cost of aligning the rest of both texts, starting at these positions. */
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
  /** Time since which the word has been shown permanently. */
  readonly since: number;
  /**
   * Earlier time from which the word was shown and then removed, or other words were shown in its place. Infinite if the
   * word was shown once and stayed.
   */
  readonly covered: number;
}

export interface WordLags {
  /** The spoken words in the last text, in their order. */
  readonly words: readonly ShownWord[];
  /** Ms from the end of each word in the last text until the word was shown permanently. */
  readonly lags: readonly number[];
  /** Number of words that were shown and later changed or removed. */
  readonly revisions: number;
  /** Ms from the end of each utterance until all its words in the last text were shown permanently. */
  readonly textLags: readonly number[];
}

/** Maximum ms before its end at which a word may be shown. Recognisers guess words, and alignments differ. */
const early = 500;

/**
 * Returns the delays until words were shown permanently, and the number of revised words. Compares each shown text only with the part of
 * the last text that had been spoken by then. Otherwise the words of a repeated sentence that was recognised differently could match the
 * later repetition.
 */
export const lagsOf = (spoken: readonly SpokenWord[], shown: readonly Shown[]): WordLags => {
  const final = shown.at(-1)?.words ?? [];
  const reference = spoken.map(({ word }) => word);
  const found = new Map(matched(reference, final));
  const spokenAt = [...found].map(([place, shownPlace]) => ({ shownPlace, end: spoken[place]!.end }));
  /** Returns the number of words in the last text that had been spoken at a moment. */
  const spokenBy = (at: number): number =>
    spokenAt.find(({ end }) => end - early > at)?.shownPlace ?? final.length;
  /** Ms since which each word of the last text has been shown permanently. */
  const since = new Array<number>(final.length).fill(Number.POSITIVE_INFINITY);
  /** Ms since which the shown text has reached each word of the last text. */
  const reached = new Array<number>(final.length).fill(Number.POSITIVE_INFINITY);
  let revisions = 0;
  for (const [index, { at, words }] of shown.entries()) {
    const before = shown[index - 1]?.words ?? [];
    revisions += before.length - matched(before, words).length;
    const pairs = matched(words, final.slice(0, spokenBy(at)));
    const there = new Set(pairs.map(([, place]) => place));
    // Words after the last equal word are other forms of the words that follow it.
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
