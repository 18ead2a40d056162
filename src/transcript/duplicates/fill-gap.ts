import type { Run } from './runs.js';
import type { TimedWord } from './timed-words.js';

export interface Gap {
  readonly known: readonly TimedWord[];
  readonly words: readonly TimedWord[];
  /** Time in ms by which `known` is later than `words`. */
  readonly offset: number;
  /** For each word, the index of the known word that it matches. `fillGap` writes it. */
  readonly counterparts: Int32Array;
}

/** Maximum number of words on each side of a gap in which single words are compared. */
const longestGap = 64;
/** Maximum deviation in ms of a single word from the offset, if the word is between two runs. */
const innerTolerance = 2500;
/** Maximum deviation in ms of a single word from the offset, if the word is before the first or after the last run. */
const outerTolerance = 1500;

/**
 * Matches single words in the gap between two runs, if they agree with the clock offset. It matches as many as
 * possible in order (longest common subsequence). Before the first and after the last run it compares only the
 * nearest words. It needs at most `longestGap` squared comparisons.
 */
export const fillGap = (
  { known, words, offset, counterparts }: Gap,
  before: Run | undefined,
  after: Run | undefined,
): void => {
  let fromA = before === undefined ? 0 : before.a + before.length;
  let fromB = before === undefined ? 0 : before.b + before.length;
  let toA = after?.a ?? known.length;
  let toB = after?.b ?? words.length;
  const isOuter = before === undefined || after === undefined;
  if (before === undefined) {
    fromA = Math.max(fromA, toA - longestGap);
    fromB = Math.max(fromB, toB - longestGap);
  }
  if (after === undefined) {
    toA = Math.min(toA, fromA + longestGap);
    toB = Math.min(toB, fromB + longestGap);
  }
  const [rows, columns] = [toB - fromB, toA - fromA];
  if (rows === 0 || columns === 0 || rows > longestGap || columns > longestGap) return;
  const tolerance = isOuter ? outerTolerance : innerTolerance;
  const same = (b: number, a: number): boolean =>
    words[b]!.key === known[a]!.key && Math.abs(known[a]!.from - words[b]!.from - offset) <= tolerance;
  const width = columns + 1;
  /** For each row and column: the maximum number of matches from there to the end. */
  const lengths = new Uint8Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] = same(fromB + row, fromA + column)
        ? lengths[at + width + 1]! + 1
        : Math.max(lengths[at + 1]!, lengths[at + width]!);
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const at = row * width + column;
    if (same(fromB + row, fromA + column)) counterparts[fromB + row++] = fromA + column++;
    else if (lengths[at + width]! >= lengths[at + 1]!) row++;
    else column++;
  }
};
