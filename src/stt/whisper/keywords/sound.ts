/**
 * A rough comparison of how words sound. It only selects candidates, which the speech model then judges, so it may find
 * too many. The rules of spelling are those of Latin script, with English in mind. Words of other scripts are compared
 * letter by letter.
 */

/** Spellings in order, and a letter for their sound. Capital letters are sounds without a letter of their own. */
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
/** Cost of a vowel in place of another, and of a consonant in place of a similar one. */
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

/** A text as it sounds. `weight` is the cost of leaving all of it out. */
export interface Sound {
  readonly letters: readonly string[];
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

export const soundOf = (text: string): Sound => {
  const letters = [
    ...spellings.reduce((left, [spelling, sound]) => left.replace(spelling, sound), lettersOf(text)),
  ];
  return { letters, weight: letters.reduce((sum, letter) => sum + weightOf(letter), 0) };
};

/**
 * Returns how different two texts sound: 0 if they sound the same, at most 1. It is the cheapest sequence of changes of
 * letters, as a share of the longer text.
 * @param most the result only has to be exact up to this value; it is 1 above it.
 */
export const soundDistance = (one: Sound, other: Sound, most = 1): number => {
  const longer = Math.max(one.weight, other.weight);
  if (longer === 0) return 1;
  const limit = most * longer;
  // Every change costs at least the difference of the weights.
  if (Math.abs(one.weight - other.weight) > limit) return 1;
  const weights = other.letters.map(weightOf);
  let row = [0];
  for (const weight of weights) row.push(row.at(-1)! + weight);
  for (const letter of one.letters) {
    const dropped = weightOf(letter);
    const next = [row[0]! + dropped];
    for (const [index, weight] of weights.entries())
      next.push(
        Math.min(
          row[index + 1]! + dropped,
          next[index]! + weight,
          row[index]! + costOf(letter, other.letters[index]!),
        ),
      );
    row = next;
    if (Math.min(...row) > limit) return 1;
  }
  return Math.min(1, row.at(-1)! / longer);
};
