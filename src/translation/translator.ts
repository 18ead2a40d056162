import { storableText } from '../common/index.js';
import type { Settings } from '../config/index.js';

/** A value of the setting `TRANSLATOR` that names a translator. */
export type TranslatorName = Exclude<Settings['translator'], 'off'>;

/**
 * A request for translations of one user. It contains no text of other users, because one user's words must not influence another user's
 * translation.
 */
export interface TranslationRequest {
  readonly uid: string;
  /** Code of the target language. */
  readonly target: string;
  readonly sentences: readonly string[];
  /** Cancels the request. */
  readonly signal: AbortSignal;
}

/** Translates sentences with a service. */
export interface Translator {
  /**
   * Translates sentences. Returns one result for each sentence, in order. A result is null if the translation cannot be used.
   * @throws CochleaError with the cause, without any transcript text.
   */
  translate(request: TranslationRequest): Promise<readonly (string | null)[]>;
}

/** Returns the maximum characters of a translation for a number of original characters. A longer translation is not used. */
export const longestTranslation = (characters: number): number => 4 * characters + 200;

/**
 * Returns a translation in storable form. Clients then receive the same text that they read from the database later.
 * @returns null for an empty or too long translation. Other sentences of the request keep their translations.
 */
export const usableTranslation = (translation: string, sentence: string): string | null => {
  if (translation.length > longestTranslation(sentence.length)) return null;
  return storableText(translation).trim() || null;
};
