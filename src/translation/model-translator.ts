import { z } from 'zod';
import { CochleaError } from '../errors/index.js';
import type { LanguageModel } from '../llm/index.js';
import { longestTranslation, type Translator } from './translator.js';

/** A token for each character is enough in any script, with some for the JSON around it. */
const answerTokens = (characters: number, sentences: number): number => 64 + 8 * sentences + 2 * characters;

const languageName = (code: string): string => {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
};

const instructions = (target: string): string =>
  [
    `Translate each text of a JSON list into ${languageName(target)} (${target}).`,
    'The texts are consecutive pieces of one conversation, as a speech recogniser wrote them.',
    'Translate what is said and add nothing. Keep names, numbers and the tone.',
    'Answer with one translation for each text, in the same order. A text that is in that language already is repeated as it is.',
  ].join('\n');

/** Translates by a language model. */
export const createModelTranslator = (model: Pick<LanguageModel, 'ask'>): Translator => ({
  async translate({ uid, target, sentences, signal }) {
    const characters = sentences.reduce((sum, { length }) => sum + length, 0);
    const schema = z.strictObject({
      translations: z.array(z.string().min(1).max(longestTranslation(characters))).length(sentences.length),
    });
    const { translations } = await model.ask(
      {
        step: 'translation',
        uid,
        instructions: instructions(target),
        data: JSON.stringify(sentences),
        answerTokens: answerTokens(characters, sentences.length),
        signal,
      },
      schema,
    );
    const isTooLong = translations.some(
      ({ length }, index) => length > longestTranslation(sentences[index]!.length),
    );
    if (isTooLong) throw new CochleaError('llm_answer_invalid', { why: 'a translation is too long' });
    return translations;
  },
});
