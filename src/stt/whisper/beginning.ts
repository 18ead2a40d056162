import type { SpeechModel } from '../../models/manifest/index.js';

/** The parts of a model that determine the tokens before the words of a text. */
export type Beginning = Pick<SpeechModel, 'languages' | 'tokens'>;

/**
 * Returns the tokens between the start of a text and its words: language, task, no time tokens.
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
 * Returns the most probable of some languages.
 * @param candidates codes of the model; not empty.
 * @param probabilities of all languages of the model, in its order.
 */
export const likeliest = (
  { languages }: Beginning,
  candidates: readonly string[],
  probabilities: Float32Array | undefined,
): string => {
  const probability = (code: string): number => probabilities?.[languages.indexOf(code)] ?? -1;
  return candidates.reduce((best, code) => (probability(code) > probability(best) ? code : best));
};
