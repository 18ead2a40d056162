import { endOfText } from '../../models/index.js';
import { type EarlierTexts, probableTokens } from '../shared/index.js';
import type { EncodedAudio, Shares, Step, Stepped } from './network.js';

/** Whisper's tokens that begin a text, and say that it has no times among its words. */
const startOfText = 50_257;
const noTimestamps = 50_362;
const beginning = [startOfText, noTimestamps];

/** Where one token of a text looks: a row of what a step told. */
export interface TokenShares {
  readonly shares: Shares;
  readonly token: number;
}

/** A row in memory of its own: what a step told is large, and mostly of guesses that were wrong. */
const rowOf = ({ data, heads, tokens, places }: Shares, token: number): TokenShares => {
  const own = new Float32Array(heads * places);
  for (let head = 0; head < heads; head++) {
    const from = (head * tokens + token) * places;
    own.set(data.subarray(from, from + places), head * places);
  }
  return { shares: { data: own, heads, tokens: 1, places }, token: 0 };
};

/**
 * A text that is being made of audio, always of the likeliest token. Tokens of earlier texts of the same speech are put behind the last
 * one, and kept as far as they are what the model chooses.
 */
export class DecodedText {
  readonly audio: EncodedAudio;
  /** The tokens of the text, without those that begin and end it. */
  readonly tokens: number[] = [];
  /** For each token, and for the end of the text, where the token before it looks, from which it was chosen. */
  readonly looked: TokenShares[] = [];
  readonly #limit: number;
  readonly #noSpeech: number;
  readonly #earlier: EarlierTexts;
  #fed: readonly number[] = [];
  #place = 0;
  #memory: Step['memory'];
  #ended: boolean;

  /**
   * @param limit most tokens.
   * @param noSpeech probability of no speech from which on the text is empty.
   */
  constructor(audio: EncodedAudio, limit: number, noSpeech: number, earlier: EarlierTexts) {
    this.audio = audio;
    this.#limit = limit;
    this.#noSpeech = noSpeech;
    this.#earlier = earlier;
    this.#ended = limit === 0;
  }

  /** Whether nothing is to be added any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether it ended because it may have no more tokens, and not by itself. */
  get cutOff(): boolean {
    return this.tokens.length > 0 && this.tokens.length >= this.#limit;
  }

  /** What the model has to be given next. */
  next(): Step {
    const known = this.#place === 0 ? beginning : this.tokens.slice(-1);
    this.#fed = [...known, ...probableTokens(this.tokens, this.#earlier)];
    return { audio: this.audio, tokens: this.#fed, place: this.#place, memory: this.#memory };
  }

  /** Takes what the model made of it. */
  take({ chosen, silence, memory, shares }: Stepped): void {
    this.#memory = memory;
    if (silence !== undefined && silence > this.#noSpeech) {
      this.#ended = true;
      return;
    }
    // The token that begins a text is followed by one that is given.
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
