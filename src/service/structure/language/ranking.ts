import type { Sentence } from './sentences.js';
import { isContentWord, tokensOf } from './words.js';

/** Returns the content words of each sentence, and how often each word occurs in all sentences together. */
const countedWords = (sentences: readonly Sentence[]) => {
  const frequency = new Map<string, number>();
  const tokens = sentences.map((sentence) => tokensOf(sentence.text).filter(isContentWord));
  for (const list of tokens) for (const token of list) frequency.set(token, (frequency.get(token) ?? 0) + 1);
  return { frequency, tokens };
};

/**
 * Ranks sentences by the mean frequency of their content words in the complete talk (as in Luhn 1958 and SumBasic). Very short and very
 * long sentences rank lower.
 * @returns indexes of the sentences, best first.
 */
export const rankSentences = (sentences: readonly Sentence[]): number[] => {
  const { frequency, tokens } = countedWords(sentences);
  const scores = tokens.map((list) => {
    if (list.length === 0) return 0;
    const sum = [...new Set(list)].reduce((total, token) => total + frequency.get(token)!, 0);
    return (sum / Math.sqrt(list.length)) * Math.min(1, list.length / 4) * Math.min(1, 30 / list.length);
  });
  return scores
    .map((score, index) => ({ score, index }))
    .sort((left, right) => right.score - left.score || left.index - right.index)
    .map(({ index }) => index);
};

/** Returns the content words of a text. */
export const contentOf = (text: string): ReadonlySet<string> => new Set(tokensOf(text).filter(isContentWord));

/** Returns which share of the words in the smaller set also occurs in the other set, from 0 to 1. */
export const overlap = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const smaller = left.size <= right.size ? left : right;
  const larger = smaller === left ? right : left;
  if (smaller.size === 0) return 0;
  return [...smaller].filter((word) => larger.has(word)).length / smaller.size;
};
