/**
 * A Whisper model may not find the end of speech. It then repeats itself, or writes the current word until it reaches
 * its token limit. More silence after the audio, besides the silence that the recogniser adds, mostly makes it end.
 */

/** Most occurrences of a token on average; more count as a loop. */
const mostOccurrences = 3;
/** Consecutive copies of a phrase that count as a loop. */
const fewestCopies = 3;

/** Seconds of silence appended for the second attempt. */
export const secondTryPadding = 5;

/** Result of a decode: its tokens in order, and whether it reached the token limit. */
export interface Decode {
  readonly tokens: readonly string[];
  readonly cutOff: boolean;
}

/** Whether a decode did not end by itself or repeats itself. */
export const ranOn = ({ tokens, cutOff }: Decode): boolean =>
  cutOff || tokens.length > mostOccurrences * new Set(tokens).size;

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

/** Whether a text ends with the words of another one. Ignores case and punctuation. */
export const endsWithWords = (text: string, end: string): boolean => {
  const last = wordsOf(end).map(plain);
  return wordsOf(text).map(plain).slice(-last.length).join(' ') === last.join(' ');
};

/** Most words of a repeated phrase. */
const longestPhrase = 40;

/**
 * Removes repetitions of a phrase at the end of a text if there are at least three copies. Keeps the first copy; the
 * last may be incomplete. Ignores case and punctuation. Other texts are returned unchanged.
 */
export const withoutLoop = (text: string): string => {
  const words = wordsOf(text);
  const compared = words.map(plain);
  let kept = words.length;
  for (let period = 1; period <= Math.min(longestPhrase, words.length / fewestCopies); period++) {
    let same = 0;
    for (let at = words.length - 1 - period; at >= 0 && compared[at] === compared[at + period]; at--) same++;
    // Removes the copies after the first, including an incomplete one.
    if (same >= (fewestCopies - 1) * period) kept = Math.min(kept, words.length - same);
  }
  return kept === words.length ? text : words.slice(0, kept).join(' ');
};
