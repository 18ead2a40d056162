import { type EarlierTexts, probableTokens } from '../shared/index.js';
import { afterStart, type Beginning, chosenLanguage } from './beginning.js';
import type { EncodedAudio, Shares, Step, Stepped } from './network.js';

/** Attention of one token to the audio: a row in the result of a step. */
export interface TokenShares {
  readonly shares: Shares;
  readonly token: number;
}

/**
 * Copies a row into its own memory. A step's result is large, and most of it belongs to wrong guesses, so keeping
 * it would waste memory.
 */
const rowOf = ({ data, heads, tokens, places }: Shares, token: number): TokenShares => {
  const own = new Float32Array(heads * places);
  for (let head = 0; head < heads; head++) {
    const from = (head * tokens + token) * places;
    own.set(data.subarray(from, from + places), head * places);
  }
  return { shares: { data: own, heads, tokens: 1, places }, token: 0 };
};

/** Settings of a text. */
export interface TextRules {
  /** Maximum number of tokens. */
  readonly limit: number;
  /** Threshold. If the probability of no speech is higher, the text is empty. */
  readonly noSpeech: number;
  /** Languages of the text, as codes of the model; not empty. Among several, the most probable one is chosen. */
  readonly languages: readonly string[];
  /**
   * Minimum probability of the most probable of several languages. Below this probability, the first language is
   * chosen. Default: 0.
   */
  readonly certainty?: number;
  readonly earlier: EarlierTexts;
}

/**
 * A text that is being decoded from audio, with the most probable token at each step. Tokens guessed from earlier
 * texts are appended to the last token. Guessed tokens are accepted up to the first one that differs from the
 * model's choice.
 *
 * The first step contains the tokens before the words. If the language is not given, the first step contains only the
 * start token. The second step then contains the chosen language and the other tokens before the words.
 */
export class DecodedText {
  /** Ids of the text's tokens, without the start and end tokens. */
  readonly tokens: number[] = [];
  /**
   * Attention to the audio for each token, and for the end of the text. The attention for a token is that of the token
   * before it, in the step in which the model chose the token.
   */
  readonly looked: TokenShares[] = [];
  /** Log probability of each token, and of the end of the text. */
  readonly likelihoods: number[] = [];
  /** Code of the text's language. Undefined until it is chosen. */
  language: string | undefined;
  /** Probability of no speech. Undefined before the first step. */
  silence: number | undefined;
  /** Probability of each language of the model, in the model's order. Undefined if the model knows only one. */
  probabilities: Float32Array | undefined;
  /** Tokens that precede the words and that the model has not decoded yet, such as the start token. */
  #given: readonly number[];
  #fed: readonly number[] = [];
  #place = 0;
  #memory: Step['memory'];
  #ended: boolean;

  constructor(
    readonly audio: EncodedAudio,
    private readonly model: Beginning,
    private readonly rules: TextRules,
  ) {
    const { start } = model.tokens;
    const [first] = rules.languages;
    this.#ended = rules.limit === 0;
    if (rules.languages.length === 1) this.language = first;
    this.#given = this.language === undefined ? [start] : [start, ...afterStart(model, this.language)];
  }

  /** Whether the text is complete. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the text ended only because it reached the token limit. */
  get cutOff(): boolean {
    return this.tokens.length > 0 && this.tokens.length >= this.rules.limit;
  }

  /** Mean log probability of the text's tokens and of its end; at most 0. Undefined for a text without tokens. */
  get likelihood(): number | undefined {
    const { likelihoods } = this;
    if (likelihoods.length === 0) return undefined;
    return likelihoods.reduce((sum, one) => sum + one, 0) / likelihoods.length;
  }

  /** Returns the input of the model's next step. */
  next(): Step {
    const known = this.#given.length > 0 ? this.#given : this.tokens.slice(-1);
    const guessed = this.language === undefined ? [] : probableTokens(this.tokens, this.rules.earlier);
    this.#fed = [...known, ...guessed];
    return {
      audio: this.audio,
      tokens: this.#fed,
      certain: known.length,
      place: this.#place,
      memory: this.#memory,
    };
  }

  /**
   * Returns the input of a step that asks for the log probability of tokens that may replace tokens of the text. The
   * step leaves the text unchanged.
   * @param from index of the first token that may be replaced.
   * @param asked the new tokens in order, at least one. The last may be the end of a text.
   */
  instead(from: number, asked: readonly number[]): Step {
    const before = afterStart(this.model, this.language!);
    const last = from === 0 ? before.at(-1)! : this.tokens[from - 1]!;
    return {
      audio: this.audio,
      tokens: [last, ...asked.slice(0, -1)],
      certain: 1,
      asked,
      place: before.length + from,
      memory: this.#memory,
    };
  }

  /** Applies the result of a step to the text. */
  take({ chosen, likelihoods, silence, languages, memory, shares }: Stepped): void {
    this.#memory = memory;
    if (languages !== undefined) this.probabilities = languages;
    if (silence !== undefined) this.silence = silence;
    if (silence !== undefined && silence > this.rules.noSpeech) {
      this.#ended = true;
      return;
    }
    if (this.language === undefined) {
      this.#place += this.#given.length;
      this.language = chosenLanguage(this.model, this.rules.languages, languages, this.rules.certainty ?? 0);
      this.#given = afterStart(this.model, this.language);
      return;
    }
    // The tokens up to the last given one were not chosen by the model. So the row of the last given token is the first
    // one that is used.
    let row = Math.max(1, this.#given.length) - 1;
    this.#given = [];
    for (const [index, token] of chosen.entries()) {
      this.likelihoods.push(likelihoods[index]!);
      this.looked.push(shares.tokens === 1 ? { shares, token: row } : rowOf(shares, row));
      if (token === this.model.tokens.end) this.#ended = true;
      else {
        this.tokens.push(token);
        this.#ended = this.cutOff;
      }
      if (this.#ended || this.#fed[row + 1] !== token) break;
      row++;
    }
    this.#place += row + 1;
  }
}
