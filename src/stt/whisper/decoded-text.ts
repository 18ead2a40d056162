import { endOfText } from '../../models/index.js';
import { type EarlierTexts, probableTokens } from '../shared/index.js';
import type { EncodedAudio, Shares, Step, Stepped } from './network.js';

/** Whisper's tokens that begin a text and turn off its time tokens. */
const startOfText = 50_257;
const noTimestamps = 50_362;
const beginning = [startOfText, noTimestamps];

/** Attention of one token: a row of a step's result. */
export interface TokenShares {
  readonly shares: Shares;
  readonly token: number;
}

/** Copies a row into its own memory. A step's result is large and mostly belongs to wrong guesses. */
const rowOf = ({ data, heads, tokens, places }: Shares, token: number): TokenShares => {
  const own = new Float32Array(heads * places);
  for (let head = 0; head < heads; head++) {
    const from = (head * tokens + token) * places;
    own.set(data.subarray(from, from + places), head * places);
  }
  return { shares: { data: own, heads, tokens: 1, places }, token: 0 };
};

/**
 * A text that is being decoded from audio, with the most probable token at each step. Tokens guessed from earlier texts
 * are appended to the last token. They are kept while they equal the tokens that the model chooses.
 */
export class DecodedText {
  /** Tokens of the text, without the start and end tokens. */
  readonly tokens: number[] = [];
  /** For each token, and for the end of the text: the attention of the token before it, at the step that chose it. */
  readonly looked: TokenShares[] = [];
  #fed: readonly number[] = [];
  #place = 0;
  #memory: Step['memory'];
  #ended: boolean;

  /**
   * @param limit most tokens.
   * @param noSpeech no-speech probability above which the text is empty.
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

  /** Whether it ended only because of the token limit. */
  get cutOff(): boolean {
    return this.tokens.length > 0 && this.tokens.length >= this.limit;
  }

  /** Input of the model's next step. */
  next(): Step {
    const known = this.#place === 0 ? beginning : this.tokens.slice(-1);
    this.#fed = [...known, ...probableTokens(this.tokens, this.earlier)];
    return { audio: this.audio, tokens: this.#fed, place: this.#place, memory: this.#memory };
  }

  /** Applies the result of a step. */
  take({ chosen, silence, memory, shares }: Stepped): void {
    this.#memory = memory;
    if (silence !== undefined && silence > this.noSpeech) {
      this.#ended = true;
      return;
    }
    // The start token is followed by a given token, so its row is skipped.
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
