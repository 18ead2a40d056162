/** A text with the wall clock (ms) of its start and end. */
export interface TimedText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /**
   * The words of the text, in order. In the text, words are separated by single spaces. Absent if the times of words
   * are unknown.
   */
  readonly words?:
    | readonly { readonly text: string; readonly from: number; readonly to: number }[]
    | undefined;
}

/** A word in the form that is used for comparison. */
export interface TimedWord {
  /** The word in lower case, without punctuation and apostrophes. */
  readonly key: string;
  /** Index of the text that contains the word. */
  readonly source: number;
  /** Start and end of the word in its text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Wall clock (ms) of the start and end. */
  readonly from: number;
  readonly to: number;
  /** Weight of the word: 1, or 0.5 for a single character of a script without spaces. */
  readonly weight: number;
}

/** Scripts without spaces between words. Each of their characters is compared like a word. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const words = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}'’])+`, 'gu');
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const apostrophes = /['’]/g;

/**
 * Returns a function that maps an offset in a text to the wall clock. It uses the times of the word at the offset. If
 * they are unknown, it estimates the time by the share of the text before the offset.
 */
const clockOf = ({ text, from, to, words: timed }: TimedText): ((offset: number) => number) => {
  const share = (offset: number): number => from + ((to - from) * offset) / Math.max(1, text.length);
  if (timed === undefined || timed.map((word) => word.text).join(' ') !== text) return share;
  let next = 0;
  let start = 0;
  return (offset) => {
    while (next < timed.length - 1 && offset > start + timed[next]!.text.length) {
      start += timed[next]!.text.length + 1;
      next++;
    }
    const word = timed[next];
    if (word === undefined) return share(offset);
    const inside = Math.min(1, Math.max(0, offset - start) / Math.max(1, word.text.length));
    return word.from + (word.to - word.from) * inside;
  };
};

/** Returns the words of a text, in order. @param source index of the text. */
export const timedWords = (given: TimedText, source: number): TimedWord[] => {
  const clock = clockOf(given);
  const found: TimedWord[] = [];
  for (const { 0: word, index: start } of given.text.matchAll(words)) {
    const key = word.replace(apostrophes, '').normalize('NFKC').toLowerCase();
    if (key === '') continue;
    const end = start + word.length;
    const [from, to] = [clock(start), clock(end)];
    found.push({ key, source, start, end, from, to, weight: isUnspaced.test(word) ? 0.5 : 1 });
  }
  return found;
};
