import type { SpokenWord } from './material.js';

/** What a client shows, word by word, from a moment on. */
export interface Shown {
  /** Ms since the first sample. */
  readonly at: number;
  readonly words: readonly string[];
}

/** Which words of two texts are the same, in the cheapest alignment: pairs of places, ascending. */
export const matched = (a: readonly string[], b: readonly string[]): (readonly [number, number])[] => {
  // Texts that grow have much in common at both ends, which needs no table.
  let first = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first++;
  let last = 0;
  while (last < a.length - first && last < b.length - first && a.at(-1 - last) === b.at(-1 - last)) last++;
  const rows = a.length - first - last;
  const columns = b.length - first - last;
  const cost = Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns + 1 }, (_, column) => (row === 0 ? column : row)),
  );
  for (let row = 1; row <= rows; row++)
    for (let column = 1; column <= columns; column++) {
      const differs = a[first + row - 1] === b[first + column - 1] ? 0 : 1;
      cost[row]![column] = Math.min(
        cost[row - 1]![column - 1]! + differs,
        cost[row - 1]![column]! + 1,
        cost[row]![column - 1]! + 1,
      );
    }
  const pairs: (readonly [number, number])[] = [];
  for (let end = last; end > 0; end--) pairs.unshift([a.length - end, b.length - end]);
  pairs.sort((one, other) => one[0] - other[0]);
  const middle: (readonly [number, number])[] = [];
  for (let row = rows, column = columns; row > 0 && column > 0; ) {
    const same = a[first + row - 1] === b[first + column - 1];
    if (cost[row]![column] === cost[row - 1]![column - 1]! + (same ? 0 : 1)) {
      if (same) middle.push([first + row - 1, first + column - 1]);
      row--;
      column--;
    } else if (cost[row]![column] === cost[row - 1]![column]! + 1) row--;
    else column--;
  }
  const beginning = Array.from({ length: first }, (_, place) => [place, place] as const);
  return [...beginning, ...middle.reverse(), ...pairs];
};

export interface WordLags {
  /** Ms from the end of each word that is in the last text to the moment from which on it was shown. */
  readonly lags: readonly number[];
  /** Words that were shown and then changed or taken back. */
  readonly revisions: number;
}

/** How late words were shown for good, and how many of those that were shown did not stay. */
export const lagsOf = (spoken: readonly SpokenWord[], shown: readonly Shown[]): WordLags => {
  const final = shown.at(-1)?.words ?? [];
  /** From when on each word of the last text has been shown without a break. */
  const since = new Array<number>(final.length).fill(Number.POSITIVE_INFINITY);
  let revisions = 0;
  for (const [index, { at, words }] of shown.entries()) {
    const before = shown[index - 1]?.words ?? [];
    revisions += before.length - matched(before, words).length;
    const there = new Set(matched(words, final).map(([, place]) => place));
    for (let place = 0; place < final.length; place++) {
      if (!there.has(place)) since[place] = Number.POSITIVE_INFINITY;
      else if (since[place] === Number.POSITIVE_INFINITY) since[place] = at;
    }
  }
  const reference = spoken.map(({ word }) => word);
  const lags = matched(reference, final).map(
    ([place, shownPlace]) => since[shownPlace]! - spoken[place]!.end,
  );
  return { lags, revisions };
};
