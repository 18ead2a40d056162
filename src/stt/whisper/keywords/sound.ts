/**
 * A rough comparison of how words sound. It only selects candidates, which the speech model then judges, so it may find
 * too many. The rules of spelling are those of Latin script, with English in mind. Words of other scripts are compared
 * letter by letter.
 */

/**
 * Spellings, in the order in which they are replaced, each with a letter for its sound. Capital letters stand for
 * sounds without a letter of their own.
 */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/tch|ch/g, 'C'],
  [/sch|sh|[sct]ion/g, 'S'],
  [/ph/g, 'f'],
  [/th/g, 'T'],
  [/wh/g, 'w'],
  [/ght/g, 't'],
  [/gh/g, 'g'],
  [/^kn/g, 'n'],
  [/^wr/g, 'r'],
  [/ck/g, 'k'],
  [/qu/g, 'kw'],
  [/x/g, 'ks'],
  [/dg(?=[eiy])|g(?=[eiy])/g, 'j'],
  [/c(?=[eiy])/g, 's'],
  [/[cq]/g, 'k'],
  [/y/g, 'i'],
  [/(?<=[aeiou])h/g, ''],
  [/(?<=.)e$/g, ''],
  [/(.)\1+/g, '$1'],
];

const vowels = 'aeiou';
const vowelWeight = 0.5;
const aspirateWeight = 0.4;
/**
 * `otherVowel`: cost of a vowel in place of another vowel. `similarConsonant`: cost of a consonant in place of a
 * similar consonant.
 */
const otherVowel = 0.35;
const similarConsonant = 0.5;
const similar = new Set(
  'bp dt gk vf zs mn rl Tt Td Tf CS Cj Ss jS jz vw bv Cs jg'
    .split(' ')
    .flatMap(([a, b]) => [a! + b!, b! + a!]),
);

/** Letters and digits of a text in lower case, without marks. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** A text as it sounds. */
export interface Sound {
  /** Character codes of the sounds, in order. */
  readonly letters: Uint32Array;
  /** Cost of leaving each sound out. */
  readonly weights: Float64Array;
  /** Cost of leaving all sounds out. */
  readonly weight: number;
}

const weightOf = (letter: string): number => {
  if (vowels.includes(letter)) return vowelWeight;
  return letter === 'h' ? aspirateWeight : 1;
};

const costOf = (one: string, other: string): number => {
  if (one === other) return 0;
  if (vowels.includes(one) && vowels.includes(other)) return otherVowel;
  return similar.has(one + other) ? similarConsonant : 1;
};

/** Number of character codes whose costs are in `costs`. Two different letters with higher codes cost 1. */
const tabled = 128;
/**
 * Costs of a letter in place of a different letter, by the codes of both letters. They are computed in advance, because
 * a comparison reads millions of them.
 */
const costs = Float64Array.from({ length: tabled * tabled }, (_, index) =>
  costOf(String.fromCharCode(Math.floor(index / tabled)), String.fromCharCode(index % tabled)),
);

export const soundOf = (text: string): Sound => {
  const letters = [
    ...spellings.reduce((left, [spelling, sound]) => left.replace(spelling, sound), lettersOf(text)),
  ];
  const weights = Float64Array.from(letters, weightOf);
  return {
    letters: Uint32Array.from(letters, (letter) => letter.codePointAt(0)!),
    weights,
    weight: weights.reduce((sum, weight) => sum + weight, 0),
  };
};

/**
 * Whether the lengths of two texts permit a difference of at most `most`. This check is much cheaper than
 * `soundDistance`.
 */
export const mayBeNear = (one: Sound, other: Sound, most: number): boolean => {
  const longer = Math.max(one.weight, other.weight);
  // Any sequence of changes costs at least the difference of the weights.
  return longer > 0 && Math.abs(one.weight - other.weight) <= most * longer;
};

/** Returns the next row of the table of costs that `soundDistance` computes. */
const nextRow = (row: Float64Array, letter: number, dropped: number, other: Sound): Float64Array => {
  const { letters, weights } = other;
  const next = new Float64Array(row.length);
  let left = row[0]! + dropped;
  next[0] = left;
  for (let index = 0; index < letters.length; index++) {
    const code = letters[index]!;
    const isTabled = letter < tabled && code < tabled;
    const cost = isTabled ? costs[letter * tabled + code]! : letter === code ? 0 : 1;
    left = Math.min(row[index + 1]! + dropped, left + weights[index]!, row[index]! + cost);
    next[index + 1] = left;
  }
  return next;
};

/**
 * Returns how different two texts sound: 0 if they sound the same, at most 1. The result is the cost of the cheapest
 * changes of letters, as a share of the weight of the longer text. The time grows with the product of both lengths.
 * @param most the result is exact up to this value. For a larger difference, the result is above `most`, but at most 1.
 */
export const soundDistance = (one: Sound, other: Sound, most = 1): number => {
  if (!mayBeNear(one, other, most)) return 1;
  const longer = Math.max(one.weight, other.weight);
  let row: Float64Array = new Float64Array(other.letters.length + 1);
  for (const [index, weight] of other.weights.entries()) row[index + 1] = row[index]! + weight;
  for (const [index, letter] of one.letters.entries()) {
    row = nextRow(row, letter, one.weights[index]!, other);
    if (row.every((cost) => cost > most * longer)) return 1;
  }
  return Math.min(1, row.at(-1)! / longer);
};
