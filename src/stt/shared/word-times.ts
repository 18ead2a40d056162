import { sampleRate } from './cut-audio.js';

/** When a word was spoken: ms from the first sample of its utterance. */
export interface WordTime {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What a recogniser says of its tokens: one time and one duration in seconds for each, or none at all. */
export interface TimedTokens {
  readonly tokens: readonly string[];
  readonly timestamps?: readonly number[];
  readonly durations?: readonly number[];
}

/** Ms from the beginning of some audio to a piece that shares its memory. */
export const offsetOf = (piece: Int16Array, whole: Int16Array): number =>
  Math.round(((piece.byteOffset - whole.byteOffset) / piece.BYTES_PER_ELEMENT / sampleRate) * 1000);

const spoken = /[\p{L}\p{N}]/u;
const milliseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1000));

/**
 * The words of a piece of audio, as the recogniser wrote them. A token that begins with white space begins a word; a word ends with its last
 * token that has a letter or a digit, because what follows a sentence is silence.
 * @param offset ms of the piece within its utterance.
 * @returns none where the recogniser told no times.
 */
export const wordsOfTokens = (
  { tokens, timestamps = [], durations = [] }: TimedTokens,
  offset: number,
): WordTime[] => {
  if (timestamps.length !== tokens.length || durations.length !== tokens.length) return [];
  const words: { text: string; start: number; end: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    const start = offset + milliseconds(timestamps[index]!);
    const end = start + milliseconds(durations[index]!);
    const last = words.at(-1);
    if (last === undefined || /^\s/u.test(token)) words.push({ text: token.trim(), start, end });
    else {
      last.text += token;
      if (spoken.test(token)) last.end = Math.max(last.end, end);
    }
  }
  return words;
};

/**
 * The times of the words of a text that was made from these words by leaving some out, as the removal of annotations and of repetitions does.
 * @returns start and end of each word of the text, one after the other; none where the text has a word that is not among them.
 */
export const timesOfText = (text: string, words: readonly WordTime[]): number[] => {
  const times: number[] = [];
  let next = 0;
  for (const word of text.split(' ')) {
    while (next < words.length && words[next]!.text !== word) next++;
    const found = words[next++];
    if (found === undefined) return [];
    times.push(found.start, found.end);
  }
  return times;
};

/** A text's words with their times: the inverse of `timesOfText`. None where there is not one pair for each word. */
export const timedWords = (text: string, times: readonly number[]): readonly WordTime[] => {
  const words = text === '' ? [] : text.split(' ');
  if (times.length !== 2 * words.length) return [];
  return words.map((word, index) => ({ text: word, start: times[2 * index]!, end: times[2 * index + 1]! }));
};
