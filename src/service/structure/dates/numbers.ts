const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );

const values = new Map<string, number>();
for (const [value, word] of small.entries()) values.set(word, value);
for (const [index, ten] of tens.entries()) {
  values.set(ten, 20 + 10 * index);
  for (let unit = 1; unit < 10; unit++) values.set(`${ten} ${small[unit]}`, 20 + 10 * index + unit);
}
const ranks = new Map<string, number>();
for (const [rank, word] of ordinals.entries()) if (rank > 0) ranks.set(word, rank);
for (let unit = 1; unit < 10; unit++) ranks.set(`twenty ${ordinals[unit]}`, 20 + unit);
ranks.set('thirtieth', 30).set('thirty first', 31);

const listed = (words: Iterable<string>): string =>
  [...words]
    .sort((left, right) => right.length - left.length)
    .join('|')
    .replaceAll(' ', '[ -]');

/** Regular expression source of a whole number below 100 in words. */
export const numberWord = `(?:${listed(values.keys())})`;
/** Regular expression source of an ordinal day of the month, in words or digits. */
export const ordinal = `(?:${listed(ranks.keys())}|(?:[12]?\\d|3[01])(?:st|nd|rd|th))`;

const plain = (word: string): string => word.toLowerCase().replaceAll('-', ' ');

/** Returns the value of a number in words or digits; NaN if the word is not a number. */
export const numberOf = (word: string): number =>
  values.get(plain(word)) ?? (/^\d/.test(word) ? Number(word.replace(',', '.')) : Number.NaN);

/** Returns the day of the month that an ordinal names. */
export const rankOf = (word: string): number => ranks.get(plain(word)) ?? Number.parseInt(word, 10);
