import { normaliseWords } from '../../src/app/sample/word-error.js';

/** Number of occurrences of each sequence of three characters in a text. */
export type Trigrams = ReadonlyMap<string, number>;

/** Counts the sequences of three characters in a text. The text is normalised, and gets a blank at each end. */
export const trigramsOf = (text: string): Trigrams => {
  const plain = ` ${normaliseWords(text).join(' ')} `;
  const counts = new Map<string, number>();
  for (let at = 0; at + 3 <= plain.length; at++) {
    const part = plain.slice(at, at + 3);
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return counts;
};

/**
 * Returns the share of a text's different trigrams that another text contains.
 * @param times returns how often the other text must contain a trigram; default once.
 */
export const shareIn = (
  part: Trigrams,
  whole: Trigrams,
  times: (trigram: string) => number = () => 1,
): number => {
  if (part.size === 0) return 0;
  let found = 0;
  for (const trigram of part.keys()) if ((whole.get(trigram) ?? 0) >= times(trigram)) found++;
  return found / part.size;
};
