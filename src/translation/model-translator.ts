import { z } from 'zod';
import type { LanguageModel } from '../llm/index.js';
import { type Translator, usableTranslation } from './translator.js';

/**
 * Returns the maximum tokens of an answer. It allows two tokens for each character of the original texts, and some for
 * the JSON around the translations.
 */
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

/** Creates a translator that uses a language model. */
export const createModelTranslator = (model: Pick<LanguageModel, 'ask'>): Translator => ({
  async translate({ uid, target, sentences, signal }) {
    const characters = sentences.reduce((sum, { length }) => sum + length, 0);
    const schema = z.strictObject({
      translations: z.array(z.string()).length(sentences.length),
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
    return translations.map((text, index) => usableTranslation(text, sentences[index]!));
  },
});
