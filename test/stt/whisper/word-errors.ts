/** Returns words in comparable form: lower case, without punctuation, hyphens split, titles written out. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\bmr\b\.?/g, 'mister')
    .replace(/[^a-z0-9' ]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '');

/** Counts the substituted, missing and added words of `heard` compared with `said` (Levenshtein). Also returns the number of words said. */
export const wordErrors = (said: string, heard: string): { errors: number; words: number } => {
  const expected = wordsOf(said);
  const found = wordsOf(heard);
  let row = Array.from({ length: found.length + 1 }, (_, index) => index);
  for (const [index, word] of expected.entries()) {
    const next = [index + 1];
    for (const [other, candidate] of found.entries()) {
      const replaced = row[other]! + (word === candidate ? 0 : 1);
      next.push(Math.min(replaced, row[other + 1]! + 1, next[other]! + 1));
    }
    row = next;
  }
  return { errors: row.at(-1)!, words: expected.length };
};
