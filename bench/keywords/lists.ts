import { normaliseWords } from '../../src/app/sample/word-error.js';
import { seeded } from '../seeded.js';
import type { ReadSentence } from './material.js';

/** Kinds of keyword lists. Each sentence is decoded with a list of each kind. */
export const lists = ['none', 'ten, spoken', 'ten, unspoken', 'hundred, unspoken'] as const;
export type List = (typeof lists)[number];

const few = 10;
const many = 100;

const shuffled = <Value>(values: readonly Value[], random: () => number): Value[] =>
  values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);

/**
 * Returns the words of each list for a sentence. Unspoken words are rare words of the other sentences. If there are
 * fewer than a hundred of them, the long list is completed with rare words of other books. Words are in lower case, as
 * in the texts.
 */
export const listsOf = (
  sentence: ReadSentence,
  all: readonly ReadSentence[],
): Readonly<Record<List, readonly string[]>> => {
  const random = seeded(all.indexOf(sentence) + 1);
  const spoken = new Set(normaliseWords(sentence.text));
  const isUnspoken = (word: string): boolean => !normaliseWords(word).some((part) => spoken.has(part));
  const others = shuffled([...new Set(all.flatMap(({ rare }) => rare))].filter(isUnspoken), random);
  const further = sentence.listed.filter((word) => isUnspoken(word) && !others.includes(word));
  const rare = [...new Set(sentence.rare)];
  return {
    none: [],
    'ten, spoken': shuffled([...rare, ...others].slice(0, few), random),
    'ten, unspoken': others.slice(0, few),
    'hundred, unspoken': [...others, ...further].slice(0, many),
  };
};
