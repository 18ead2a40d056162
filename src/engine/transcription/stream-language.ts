import { baseLanguage } from '../../stt/providers/index.js';
import {
  detection,
  type LanguageShares,
  likeliestOf,
  modelLanguage,
  sharesAmong,
} from '../../stt/shared/index.js';

/** What a model recognised in an utterance: the probabilities of languages, and the length of the speech. */
export interface RecognisedSpeech {
  /** Probabilities of languages; undefined if the model knows only one language. */
  readonly shares: LanguageShares | undefined;
  /** Length of the speech in s. */
  readonly seconds: number;
}

/**
 * Maximum length in s of the speech that counts as evidence. Older evidence counts less, so that it does not outweigh
 * new speech.
 */
const longestEvidence = 12;

/**
 * Returns the languages of a speaker with the language of the conversation first, if it is one of them.
 * @param spoken code of the language of most of the conversation's speech; undefined without speech.
 */
export const beginningWith = (
  spoken: string | undefined,
  languages: readonly string[],
): readonly string[] => {
  const first = spoken === undefined ? undefined : modelLanguage(baseLanguage(spoken), languages);
  return first === undefined ? languages : [first, ...languages.filter((code) => code !== first)];
};

/**
 * The language of a stream whose client sends `language=multi`. It is the first candidate until at least 4 s of speech
 * show a different candidate with a probability of at least 0.8.
 *
 * Evidence is gathered over several utterances. For each language, it is the mean of the logarithms of the
 * probabilities in these utterances, weighted by the lengths of the utterances. Evidence for the current language
 * discards the evidence gathered for others. A change therefore needs 4 s of further speech, and single utterances that
 * sound like another language do not change it.
 */
export class StreamLanguage {
  #current: string;
  /** Sum of the logarithms of each candidate's probability, weighted by seconds. Empty without evidence. */
  #evidence = new Map<string, number>();
  /** Length in s of the speech in the evidence. */
  #seconds = 0;

  /** @param languages base codes of the languages that the speaker may use, the most probable one first; not empty. */
  constructor(readonly languages: readonly string[]) {
    this.#current = languages[0]!;
  }

  /** Code of the language in which the next utterance is decoded. */
  get current(): string {
    return this.#current;
  }

  /**
   * Adds an utterance to the evidence.
   * @returns the language of the utterance: the most probable one if the utterance is long and clear enough, otherwise
   * the current one.
   */
  detect({ shares, seconds }: RecognisedSpeech): string {
    if (shares === undefined || seconds <= 0 || this.languages.length < 2) return this.#current;
    const own = sharesAmong(shares, this.languages);
    const [code, share] = likeliestOf(own);
    this.#gather(own, seconds, code);
    return seconds >= detection.seconds && share >= detection.probability ? code : this.#current;
  }

  /** @param likeliest the most probable language of the utterance. Only this language may become the current one. */
  #gather(own: LanguageShares, seconds: number, likeliest: string): void {
    for (const [code, share] of own)
      this.#evidence.set(code, (this.#evidence.get(code) ?? 0) + seconds * Math.log(share));
    this.#seconds += seconds;
    const means = new Map([...this.#evidence].map(([code, sum]) => [code, Math.exp(sum / this.#seconds)]));
    const [code, share] = likeliestOf(sharesAmong(means, this.languages));
    const suffices = this.#seconds >= detection.seconds && share >= detection.probability;
    const changes = code !== this.#current && code === likeliest && suffices;
    if (changes) this.#current = code;
    if (changes || code === this.#current) this.#forget();
    else if (this.#seconds > longestEvidence) this.#shorten();
  }

  #forget(): void {
    this.#evidence.clear();
    this.#seconds = 0;
  }

  #shorten(): void {
    for (const [code, sum] of this.#evidence)
      this.#evidence.set(code, (sum * longestEvidence) / this.#seconds);
    this.#seconds = longestEvidence;
  }
}
