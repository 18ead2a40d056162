const units = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen`
    .split(/\s+/)
    .map((word, value) => [word, value]),
);
const tens = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10]),
);
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1000],
]);

/**
 * Returns the number at the start of a list of words, and its length in words. Returns null if the list does not start
 * with a number.
 */
export const spokenNumber = (words: readonly string[]): { value: number; length: number } | null => {
  const first = words[0]?.replace(/[,;:]$/, '') ?? '';
  if (/^\d{1,9}(?:[.,]\d{1,6})?$/.test(first)) {
    const thousands = /^\d{1,3},\d{3}$/.test(first);
    return { value: Number(first.replace(',', thousands ? '' : '.')), length: 1 };
  }
  let total = 0;
  let part = 0;
  let length = 0;
  let seen = false;
  for (; length < words.length; length++) {
    const pieces = words[length]!.toLowerCase().split('-');
    const values = pieces.map((piece) => units.get(piece) ?? tens.get(piece));
    const word = pieces[0]!;
    if (values.every((value) => value !== undefined)) {
      part += values.reduce((sum, value) => sum + value, 0);
      seen = true;
    } else if (scales.has(word) && (seen || (length === 1 && /^an?$/i.test(words[0]!)))) {
      part = Math.max(1, part) * scales.get(word)!;
      if (word === 'thousand') {
        total += part;
        part = 0;
      }
      seen = true;
    } else if (
      !(length === 0 && /^an?$/i.test(word)) &&
      !(word === 'and' && seen && scales.has(words[length - 1]!))
    )
      break;
  }
  if (!seen) return null;
  if (words[length] === 'point' && units.has(words[length + 1] ?? '')) {
    return { value: total + part + units.get(words[length + 1]!)! / 10, length: length + 2 };
  }
  return { value: total + part, length };
};
