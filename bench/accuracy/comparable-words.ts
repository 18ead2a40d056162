import { normaliseWords } from '../../src/app/sample/word-error.js';
import { spokenForms } from './spoken-numbers.js';
import type { SpokenLanguage } from './talks.js';

/**
 * A word as a list of its possible forms. A number may be spoken in several forms, and each form is a list of words.
 */
export type Comparable = readonly (readonly string[])[];

/** Patterns of signs and the words that replace them. */
const signs: Readonly<Record<SpokenLanguage, readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/[$£€](\d[\d,]*)/g, '$1 dollars '],
    [/%/g, ' percent '],
  ],
  fr: [
    [/(\d)\s?\$/g, '$1 dollars '],
    [/(\d)\s?h\s?(\d)/g, '$1 heures $2'],
    [/%/g, ' pour cent '],
    [/\*/g, ' étoile '],
    [/#/g, ' dièse '],
  ],
};
/** French words that have two spellings in numbers, which sound the same. Each plural gets its singular. */
const plurals: Readonly<Record<string, string>> = { vingts: 'vingt', cents: 'cent' };

const plainWords = (text: string, languages: readonly SpokenLanguage[]): string[] => {
  const grouped = text.replace(/(?<=\d)[,\u202f](?=\d{3}(?!\d))/g, '');
  const spoken = languages
    .flatMap((language) => signs[language])
    .reduce((all, [sign, words]) => all.replace(sign, words), grouped);
  if (!languages.includes('fr')) return normaliseWords(spoken);
  const withoutAccents = spoken
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/œ/gi, 'oe');
  return normaliseWords(withoutAccents).map((word) => plurals[word] ?? word);
};

/**
 * Returns the words of a text for a comparison. Words are normalised as in every word error of the product. In
 * addition, numbers in digits get all their spoken forms, signs become words, and French accents are dropped.
 * @param languages the languages that the text may have.
 */
export const comparableWords = (text: string, languages: readonly SpokenLanguage[]): Comparable[] =>
  plainWords(text, languages).map((word) => {
    const forms = languages.flatMap((language) => spokenForms(word, language));
    return forms.length > 0 ? forms : [[word]];
  });
