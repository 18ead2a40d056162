import { storableText } from '../common/index.js';

/**
 * A request for translations of one user. It contains no text of other users: the words of one must not influence
 * another's translation.
 */
export interface TranslationRequest {
  readonly uid: string;
  /** Language code. */
  readonly target: string;
  readonly sentences: readonly string[];
  /** Cancels the request. */
  readonly signal: AbortSignal;
}

/** Translates sentences by some service. */
export interface Translator {
  /**
   * Translates sentences. Returns one result for each, in order; null for an unusable translation.
   * @throws CochleaError with the cause, without any transcript text.
   */
  translate(request: TranslationRequest): Promise<readonly (string | null)[]>;
}

/** Most characters of a translation, by the characters of the original. A longer answer is unusable. */
export const longestTranslation = (characters: number): number => 4 * characters + 200;

/**
 * The storable form of a translation, so that clients receive the text that they will read back.
 * @returns null for an empty or too long translation. The other sentences of the request keep theirs.
 */
export const usableTranslation = (translation: string, sentence: string): string | null => {
  if (translation.length > longestTranslation(sentence.length)) return null;
  return storableText(translation).trim() || null;
};
