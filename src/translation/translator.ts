import { storableText } from '../common/index.js';

/** A request for translations of one user. Of others nothing is in it: what one says must not change what another reads. */
export interface TranslationRequest {
  readonly uid: string;
  /** Language code. */
  readonly target: string;
  readonly sentences: readonly string[];
  /** Ends the request early. */
  readonly signal: AbortSignal;
}

/** What translates sentences. */
export interface Translator {
  /**
   * Translates sentences; there is one answer for each, in their order, and null for one whose translation cannot be used.
   * @throws CochleaError with what is wrong; nothing of what was said is in it.
   */
  translate(request: TranslationRequest): Promise<readonly (string | null)[]>;
}

/** Most characters of a translation of so many: an answer beyond it is none. */
export const longestTranslation = (characters: number): number => 4 * characters + 200;

/**
 * What can be kept of a translation: as it will be stored, so that clients are sent what they will read back.
 * @returns null for one that is empty or too long. The other sentences of its request keep theirs.
 */
export const usableTranslation = (translation: string, sentence: string): string | null => {
  if (translation.length > longestTranslation(sentence.length)) return null;
  return storableText(translation).trim() || null;
};
