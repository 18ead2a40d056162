import type { SpeechModel } from '../../models/manifest/index.js';
import { likeliestOf, sharesAmong } from '../shared/index.js';

/** The parts of a model that determine the tokens before the words of a text. */
export type Beginning = Pick<SpeechModel, 'languages' | 'tokens'>;

/**
 * Returns the tokens between the start of a text and its words. They are the language, the task, and the token that
 * turns off time tokens.
 * @param language one of the model's languages.
 */
export const afterStart = ({ languages, tokens }: Beginning, language: string): readonly number[] => {
  const { firstLanguage, noTimestamps, transcribe } = tokens;
  const index = languages.indexOf(language);
  if (index < 0) throw new Error(`the model does not know the language ${language}`);
  return [
    ...(firstLanguage === null ? [] : [firstLanguage + index]),
    ...(transcribe === null ? [] : [transcribe]),
    noTimestamps,
  ];
};

/**
 * Chooses one of several languages: the most probable one. If its probability among them is below `least`, chooses the
 * first of `candidates`.
 * @param candidates codes of the model; not empty.
 * @param probabilities of all languages of the model, in its order.
 */
export const chosenLanguage = (
  { languages }: Beginning,
  candidates: readonly string[],
  probabilities: Float32Array | undefined,
  least: number,
): string => {
  const [first] = candidates;
  if (probabilities === undefined || candidates.length === 1) return first!;
  const all = new Map(languages.map((code, index) => [code, probabilities[index]!]));
  const [code, share] = likeliestOf(sharesAmong(all, candidates));
  return share < least ? first! : code;
};
