import { endOfText } from '../../models/index.js';
import { type EarlierTexts, probableTokens } from '../shared/index.js';
import type { EncodedAudio, Shares, Step, Stepped } from './network.js';

/** Whisper's tokens at the beginning of a text. They start the text and turn off time tokens. */
const startOfText = 50_257;
const noTimestamps = 50_362;
const beginning = [startOfText, noTimestamps];

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

/**
 * A text that is being decoded from audio, with the most probable token at each step. Tokens guessed from earlier
 * texts are appended to the last token. Guessed tokens are accepted up to the first one that differs from the
 * model's choice.
 */
export class DecodedText {
  /** Ids of the text's tokens, without the start and end tokens. */
  readonly tokens: number[] = [];
  /**
   * Attention for each token, and for the end of the text. It is the attention of the token before, in the step
   * that chose the token.
   */
  readonly looked: TokenShares[] = [];
  #fed: readonly number[] = [];
  #place = 0;
  #memory: Step['memory'];
  #ended: boolean;

  /**
   * @param limit maximum number of tokens.
   * @param noSpeech threshold. If the probability of no speech is higher, the text is empty.
   */
  constructor(
    readonly audio: EncodedAudio,
    private readonly limit: number,
    private readonly noSpeech: number,
    private readonly earlier: EarlierTexts,
  ) {
    this.#ended = limit === 0;
  }

  /** Whether the text is complete. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the text ended only because it reached the token limit. */
  get cutOff(): boolean {
    return this.tokens.length > 0 && this.tokens.length >= this.limit;
  }

  /** Returns the input of the model's next step. */
  next(): Step {
    const known = this.#place === 0 ? beginning : this.tokens.slice(-1);
    this.#fed = [...known, ...probableTokens(this.tokens, this.earlier)];
    return { audio: this.audio, tokens: this.#fed, place: this.#place, memory: this.#memory };
  }

  /** Applies the result of a step to the text. */
  take({ chosen, silence, memory, shares }: Stepped): void {
    this.#memory = memory;
    if (silence !== undefined && silence > this.noSpeech) {
      this.#ended = true;
      return;
    }
    // Skips the row of the start token, because the token after it is given and not chosen.
    let row = this.#place === 0 ? beginning.length - 1 : 0;
    for (; ; row++) {
      const token = chosen[row]!;
      this.looked.push(shares.tokens === 1 ? { shares, token: row } : rowOf(shares, row));
      if (token === endOfText) this.#ended = true;
      else {
        this.tokens.push(token);
        this.#ended = this.cutOff;
      }
      if (this.#ended || this.#fed[row + 1] !== token) break;
    }
    this.#place += row + 1;
  }
}
