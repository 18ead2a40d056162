import type { WordTime } from '../../stt/shared/index.js';
import { sameWord } from '../../transcript/index.js';

/**
 * Provisional words of a long utterance: only its newest part is transcribed again, from a word that is shown on, and what the text of that part
 * has behind the last shown words is added to them. A text that differs in words that are shown is made use of in the same way.
 */

/** Last words of what is shown that a text has to have, too, so that it can go on behind them. */
const fewestShared = 2;
/** Last words of what is shown among which those are looked for: what follows them may be recognised otherwise. */
const reach = 6;
/** Ms that the ends of a word may differ between two texts. */
const nearby = 600;
/** Ms of shown words with which a part begins, so that the recogniser knows what the sentence is about. */
const lead = 2500;
/** Silence (ms) before a word at which a part rather begins, and ms of further words within which it is looked for. */
const gap = 100;
const search = 2500;
/** Ms of audio before the first word of a part. */
const before = 60;

/**
 * Where the part of an utterance begins that has to be transcribed for further words.
 * @param shown its words that are shown, in ms from its first sample.
 * @returns ms from its first sample; 0 where all of it has to be transcribed.
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
 * The words of a text that follow those that are shown: what it has behind the last place where it has two of them, one after the other, at about
 * the same time. Where those are not the last two, the words that it has in place of the others are left out: a word that is recognised
 * otherwise each time must not hold up those that follow it.
 * @returns undefined where it does not have them.
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
