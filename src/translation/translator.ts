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
   * Translates sentences; there is one answer for each, in their order.
   * @throws CochleaError with what is wrong; nothing of what was said is in it.
   */
  translate(request: TranslationRequest): Promise<readonly string[]>;
}

/** Most characters of a translation of so many: an answer beyond it is none. */
export const longestTranslation = (characters: number): number => 4 * characters + 200;
