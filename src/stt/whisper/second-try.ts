/**
 * Detects and repairs texts that did not end. A Whisper model may not find the end of speech. It then repeats
 * itself, or writes on until it reaches its token limit. More silence after the audio mostly makes it end. The
 * recogniser itself already adds some silence.
 */

/** Maximum mean number of occurrences of a token. A text with more counts as a loop. */
const mostOccurrences = 3;
/** Number of consecutive copies of a phrase from which the text counts as a loop. */
const fewestCopies = 3;

/** Length in seconds of the silence that is appended for the second attempt. */
export const secondTryPadding = 5;

/** Result of a decode: its tokens in order, and whether it reached the token limit. */
export interface Decode {
  readonly tokens: readonly string[];
  readonly cutOff: boolean;
}

/** Whether the text reached the token limit or repeats itself. */
export const ranOn = ({ tokens, cutOff }: Decode): boolean =>
  cutOff || tokens.length > mostOccurrences * new Set(tokens).size;

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

/** Whether a text ends with the words of another text. Case and punctuation are ignored. */
export const endsWithWords = (text: string, end: string): boolean => {
  const last = wordsOf(end).map(plain);
  return wordsOf(text).map(plain).slice(-last.length).join(' ') === last.join(' ');
};

/** Maximum number of words of a repeated phrase. */
const longestPhrase = 40;

/**
 * Removes repetitions of a phrase at the end of a text if there are at least three copies. The first copy stays.
 * The last copy may be incomplete. Case and punctuation are ignored. Other texts are returned unchanged.
 */
export const withoutLoop = (text: string): string => {
  const words = wordsOf(text);
  const compared = words.map(plain);
  let kept = words.length;
  for (let period = 1; period <= Math.min(longestPhrase, words.length / fewestCopies); period++) {
    let same = 0;
    for (let at = words.length - 1 - period; at >= 0 && compared[at] === compared[at + period]; at--) same++;
    // Removes the copies after the first, including an incomplete copy.
    if (same >= (fewestCopies - 1) * period) kept = Math.min(kept, words.length - same);
  }
  return kept === words.length ? text : words.slice(0, kept).join(' ');
};
