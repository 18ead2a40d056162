/** Abbreviations and their spoken words. */
const spoken: Readonly<Record<string, string>> = { mr: 'mister', mrs: 'missus', dr: 'doctor', st: 'saint' };

/**
 * Normalises a text to words. Every word error in this product is counted on normalised words:
 *
 * 1. Unicode compatibility form, lower case;
 * 2. apostrophes (straight or curly) are dropped, so that "don't" is one word, `dont`;
 * 3. every other character that is neither letter, digit nor mark separates words: punctuation, dashes, hyphens
 *    ("cold-hearted" is two words);
 * 4. `mr`, `mrs`, `dr`, `st` become `mister`, `missus`, `doctor`, `saint`.
 */
export const normaliseWords = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['\u2019\u02bc]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .map((word) => spoken[word] ?? word);

export interface WordError {
  /** Number of words in the reference. */
  readonly words: number;
  /** Number of substitutions, insertions and deletions in the cheapest alignment. */
  readonly errors: number;
  /** errors / words; 0 if both texts are empty, 1 if only the reference is empty. */
  readonly rate: number;
}

/** Returns the number of substitutions, insertions and deletions of the cheapest alignment (Levenshtein distance over words). */
export const wordDistance = (wanted: readonly string[], given: readonly string[]): number => {
  let row = Uint32Array.from({ length: given.length + 1 }, (_, to) => to);
  let next = new Uint32Array(row.length);
  for (const [at, word] of wanted.entries()) {
    next[0] = at + 1;
    for (let to = 1; to < row.length; to++) {
      const other = word === given[to - 1] ? 0 : 1;
      next[to] = Math.min(row[to - 1]! + other, row[to]! + 1, next[to - 1]! + 1);
    }
    [row, next] = [next, row];
  }
  return row.at(-1)!;
};

/** Returns the word error of a hypothesis against a reference. Both are normalised first. */
export const wordError = (reference: string, hypothesis: string): WordError => {
  const wanted = normaliseWords(reference);
  const given = normaliseWords(hypothesis);
  const errors = wordDistance(wanted, given);
  return {
    words: wanted.length,
    errors,
    rate: wanted.length === 0 ? Math.min(1, errors) : errors / wanted.length,
  };
};
