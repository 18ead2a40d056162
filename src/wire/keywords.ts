import { characterCount } from '../common/index.js';
import { fixedLimits } from '../config/limits/index.js';

/** Maximum number of words in a list of custom words, and maximum length of a word in code points. */
export const keywordBounds = {
  words: fixedLimits.keywords.value,
  length: fixedLimits.keywordLength.value,
} as const;

/** The words of a list of custom words, or the limit that the list exceeds. */
export type ReadKeywords =
  | { readonly words: readonly string[] }
  | { readonly refusal: 'too_many_words' | 'word_too_long'; readonly limit: number };

/**
 * Returns a word in its stored form. White space and control characters become single spaces; an unpaired surrogate
 * becomes U+FFFD.
 */
const wordOf = (given: string): string =>
  given
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Drops blank words and repetitions. Words that differ only in case count as one word, in its first spelling. */
const distinct = (words: Iterable<string>): string[] => {
  const found = new Map<string, string>();
  for (const word of words) {
    const name = word.toLowerCase();
    if (word !== '' && !found.has(name)) found.set(name, word);
  }
  return [...found.values()];
};

/**
 * Reads a list of custom words from a client. Drops blank words and repetitions, and replaces control characters by
 * spaces. Dropped words also count against the limit on the number of words, so reading a long list stays fast.
 */
export const readKeywords = (given: readonly string[]): ReadKeywords => {
  if (given.length > keywordBounds.words) return { refusal: 'too_many_words', limit: keywordBounds.words };
  const words = given.map(wordOf);
  if (words.some((word) => characterCount(word) > keywordBounds.length)) {
    return { refusal: 'word_too_long', limit: keywordBounds.length };
  }
  return { words: distinct(words) };
};

/** Reads custom words that are separated by commas. */
export const readKeywordText = (given: string): ReadKeywords => readKeywords(given.split(','));

/** Returns text for the end of an error message: the limit that a refused list exceeds. */
export const keywordRefusal = ({ refusal, limit }: Extract<ReadKeywords, { refusal: string }>): string =>
  refusal === 'too_many_words' ? `more than ${limit} words` : `a word of more than ${limit} characters`;

/**
 * Joins lists of words, the words of earlier lists first. Omits words that are too long, and the last words if there
 * are too many.
 */
export const joinKeywords = (...lists: readonly (readonly string[])[]): readonly string[] => {
  const words = lists.flat().map(wordOf);
  const short = words.filter((word) => characterCount(word) <= keywordBounds.length);
  return distinct(short).slice(0, keywordBounds.words);
};
