import type { WordTime } from '../../stt/shared/index.js';
import { sameWord } from '../../transcript/index.js';

/**
 * Computes provisional words of a long utterance. Only the newest part of the utterance is transcribed again. That part
 * starts with some of the words that clients already have (shown words). The new words behind the shown words are
 * appended to them. This also works if the new text differs from some of the shown words.
 */

/** Number of consecutive shown words that a text must contain before the words after them are used. */
const fewestShared = 2;
/**
 * Only this many of the last shown words are searched for a match. The shown words after the match may differ from the
 * words of the text.
 */
const reach = 6;
/** Maximum difference in ms between the end times of the same word in two texts. */
const nearby = 600;
/** Maximum difference in ms between the end times of a word in two consecutive texts that agree on this word. */
const agreeing = 300;
/** Minimum length in ms of the shown words at the start of a part. They give the recogniser context. */
const lead = 2500;
/** Length in ms of a silence after which a part preferably starts. */
const gap = 100;
/** Before the last `lead` ms, this many ms of the shown words are searched for a word after a silence. */
const search = 2500;
/** Length in ms of the audio before the first word of a part. */
const before = 60;

/**
 * Finds the start of the part that must be transcribed to find the next words.
 * @param shown the shown words of the utterance, in ms from its first sample.
 * @returns ms from the first sample; 0 if the whole utterance must be transcribed.
 */
export const beginningOfPart = (shown: readonly WordTime[]): number => {
  const last = shown.at(-1);
  if (last === undefined) return 0;
  let found: WordTime | undefined;
  for (let index = shown.length - fewestShared - 1; index > 0; index--) {
    const word = shown[index]!;
    const distance = last.end - word.start;
    if (distance < lead) continue;
    if (found !== undefined && distance > lead + search) break;
    found ??= word;
    if (word.start - shown[index - 1]!.end < gap) continue;
    found = word;
    break;
  }
  return found === undefined ? 0 : Math.max(0, found.start - before);
};

/**
 * Finds the words of a text that follow the shown words. Searches the text for two consecutive shown words at about the
 * same time, and returns the words after them. After this match, the text may differ from the remaining shown words.
 * Words of the text that lie before the end of the shown words are then left out. So a word that is recognised
 * differently each time does not block later words.
 * @returns undefined if the text contains no match.
 */
export const furtherWords = (
  shown: readonly WordTime[],
  words: readonly WordTime[],
): readonly WordTime[] | undefined => {
  const end = shown.at(-1)?.end;
  const earliest = Math.max(fewestShared, shown.length - reach + fewestShared);
  for (let until = shown.length; until >= earliest; until--) {
    const shared = shown.slice(until - fewestShared, until);
    for (let last = words.length - 1; last >= fewestShared - 1; last--) {
      const first = last - fewestShared + 1;
      const isThere = shared.every(({ text }, index) => sameWord(text, words[first + index]!.text));
      if (!isThere || Math.abs(words[last]!.end - shared.at(-1)!.end) >= nearby) continue;
      const behind = words.slice(last + 1);
      return until === shown.length ? behind : behind.filter((word) => (word.start + word.end) / 2 > end!);
    }
  }
  return undefined;
};

/**
 * Returns the number of words at the beginning of a text that may be shown. These are the first `settled` words, and
 * the words after them that the previous text also has at about the same time.
 */
export const agreedWords = (
  words: readonly WordTime[],
  before: readonly WordTime[],
  settled: number,
): number => {
  const isAgreed = ({ text, end }: WordTime): boolean =>
    before.some((other) => Math.abs(other.end - end) < agreeing && sameWord(other.text, text));
  let count = settled;
  while (count < words.length && isAgreed(words[count]!)) count++;
  return count;
};

/**
 * Divides words at a moment of the utterance. @param moment in ms from the first sample.
 * @returns the words before it, and the words after it with times in ms from that moment.
 */
export const wordsAfter = (
  words: readonly WordTime[],
  moment: number,
): { readonly kept: readonly WordTime[]; readonly further: readonly WordTime[] } => {
  const first = words.findIndex(({ start, end }) => (start + end) / 2 > moment);
  const count = first < 0 ? words.length : first;
  const further = words
    .slice(count)
    .map(({ text, start, end }) => ({ text, start: Math.max(0, start - moment), end: end - moment }));
  return { kept: words.slice(0, count), further };
};
