/**
 * What a Whisper model does with speech that it does not find the end of: it repeats itself, or writes the word it is at, until it
 * may write no more. Silence behind the audio, beside what the recogniser adds by itself, mostly makes it end.
 */

/** How often a token may occur on average: more is taken for a loop. */
const mostOccurrences = 3;
/** Copies of a phrase that follow each other until they are taken for a loop. */
const fewestCopies = 3;

/** Seconds of silence that the second try has behind its audio. */
export const secondTryPadding = 5;

/** What a decode gave: its tokens in order, and whether it went on until it might have no more of them. */
export interface Decode {
  readonly tokens: readonly string[];
  readonly cutOff: boolean;
}

/** Whether a decode did not end by itself or repeats itself. */
export const ranOn = ({ tokens, cutOff }: Decode): boolean =>
  cutOff || tokens.length > mostOccurrences * new Set(tokens).size;

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

/** Whether a text ends with the words of another one. Case and punctuation are not compared. */
export const endsWithWords = (text: string, end: string): boolean => {
  const last = wordsOf(end).map(plain);
  return wordsOf(text).map(plain).slice(-last.length).join(' ') === last.join(' ');
};

/** Most words of a phrase that is looked for. */
const longestPhrase = 40;

/**
 * Removes the copies of a phrase with which a text ends, where there are at least three, but the first; the last may be cut off. Case and
 * punctuation are not compared. Other texts are returned as they are.
 */
export const withoutLoop = (text: string): string => {
  const words = wordsOf(text);
  const compared = words.map(plain);
  let kept = words.length;
  for (let period = 1; period <= Math.min(longestPhrase, words.length / fewestCopies); period++) {
    let same = 0;
    for (let at = words.length - 1 - period; at >= 0 && compared[at] === compared[at + period]; at--) same++;
    // The copies behind the first one, and what is left of one that was cut off.
    if (same >= (fewestCopies - 1) * period) kept = Math.min(kept, words.length - same);
  }
  return kept === words.length ? text : words.slice(0, kept).join(' ');
};
