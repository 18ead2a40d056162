import { wordDistance, wordError } from '../../src/app/sample/word-error.js';
import { bootstrapInterval } from '../bootstrap.js';
import { aligned, type Errors } from './alignment.js';
import { type Comparable, comparableWords } from './comparable-words.js';
import type { PlacedSentence } from './talks.js';

/** Errors of a sentence. */
export interface SentenceErrors extends Errors {
  readonly words: number;
}

/**
 * Returns the words of a received text. If a number has several forms, the form with the fewest errors is chosen, one
 * number after the other.
 */
const chosenWords = (wanted: readonly string[], received: readonly Comparable[]): string[] => {
  let chosen = received.map((forms) => forms[0]!);
  for (const [index, forms] of received.entries()) {
    let least = Number.POSITIVE_INFINITY;
    if (forms.length < 2) continue;
    for (const form of forms) {
      const tried = chosen.with(index, form);
      const errors = wordDistance(wanted, tried.flat());
      if (errors < least) [least, chosen] = [errors, tried];
    }
  }
  return chosen.flat();
};

/**
 * Compares the text that was received for a talk with the sentences of the talk.
 * @returns the errors of each sentence. An inserted word belongs to the sentence of the word before it.
 */
export const errorsOfTalk = (
  sentences: readonly Pick<PlacedSentence, 'text' | 'language'>[],
  received: string,
): SentenceErrors[] => {
  const languages = [...new Set(sentences.map(({ language }) => language))];
  const wanted = sentences.flatMap(({ text, language }, sentence) =>
    comparableWords(text, [language]).flatMap((forms) => forms[0]!.map((word) => ({ word, sentence }))),
  );
  const words = wanted.map(({ word }) => word);
  const found = sentences.map((_, index) => ({
    words: wanted.filter(({ sentence }) => sentence === index).length,
    substitutions: 0,
    insertions: 0,
    deletions: 0,
  }));
  for (const { at, error } of aligned(words, chosenWords(words, comparableWords(received, languages))))
    if (error !== undefined) found[wanted[at]?.sentence ?? 0]![error]++;
  return found;
};

/** Returns the sums of the errors of all sentences. */
export const sumOf = (sentences: readonly SentenceErrors[]): SentenceErrors => {
  const total = (of: keyof SentenceErrors): number => sentences.reduce((sum, one) => sum + one[of], 0);
  return {
    words: total('words'),
    substitutions: total('substitutions'),
    insertions: total('insertions'),
    deletions: total('deletions'),
  };
};

/** Returns the word error: all errors divided by the number of words. */
export const rateOf = ({ words, substitutions, insertions, deletions }: SentenceErrors): number =>
  (substitutions + insertions + deletions) / Math.max(1, words);

/** Returns the word error if numbers, signs and accents are not treated specially. */
export const plainRateOf = (
  talks: readonly { readonly text: string; readonly received: string }[],
): number => {
  const counts = talks.map(({ text, received }) => wordError(text, received));
  const total = (of: 'words' | 'errors'): number => counts.reduce((sum, one) => sum + one[of], 0);
  return total('errors') / Math.max(1, total('words'));
};

/** Returns the 95 % interval of the word error (bootstrap over the sentences). */
export const intervalOf = (sentences: readonly SentenceErrors[]): readonly [low: number, high: number] =>
  bootstrapInterval(sentences.length, (chosen) => rateOf(sumOf(chosen.map((index) => sentences[index]!))));
