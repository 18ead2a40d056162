import { sampleRate } from './cut-audio.js';

/** A word with its times, in ms from the first sample of its utterance. */
export interface WordTime {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Tokens of a recogniser. Either each token has one time and one duration in seconds, or none has. */
export interface TimedTokens {
  readonly tokens: readonly string[];
  readonly timestamps?: readonly number[];
  readonly durations?: readonly number[];
}

/** Returns the offset of a piece within the audio whose memory it shares, in ms. */
export const offsetOf = (piece: Int16Array, whole: Int16Array): number =>
  Math.round(((piece.byteOffset - whole.byteOffset) / piece.BYTES_PER_ELEMENT / sampleRate) * 1000);

const spoken = /[\p{L}\p{N}]/u;
const milliseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1000));

/**
 * Joins tokens to words with times. A token that begins with white space begins a word. A word ends with its last token
 * that contains a letter or digit, because the times of punctuation extend into the silence after a sentence.
 * @param offset start of the piece within its utterance, in ms.
 * @returns an empty list if the recogniser returned no times.
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
 * Returns the times of a text's words. The text consists of some of `words` in the same order. Other words of `words`
 * may be missing from the text, because annotations or repetitions were removed.
 * @returns start and end of each word, as a flat list; empty if some word of the text is not among `words`.
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

/**
 * Combines a text's words with their times: the inverse of `timesOfText`. Returns an empty list unless there is one
 * pair of times for each word.
 */
export const timedWords = (text: string, times: readonly number[]): readonly WordTime[] => {
  const words = text === '' ? [] : text.split(' ');
  if (times.length !== 2 * words.length) return [];
  return words.map((word, index) => ({ text: word, start: times[2 * index]!, end: times[2 * index + 1]! }));
};
