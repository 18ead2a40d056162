import { seeded } from '../seeded.js';
import { oracleRate } from './speech-bursts.js';
import { anchorOf, markSpeech } from './token-code.js';
import { tokenOf } from './token-words.js';

export interface TimelineOptions {
  /** Number of the wearable. */
  readonly wearable: number;
  /** Pieces of speech, from `speechBursts`. */
  readonly bursts: readonly Int16Array[];
  /** Shortest and longest silence before each burst, in ms. The shortest must be long enough to end an utterance. */
  readonly silence: readonly [least: number, most: number];
  readonly seed: number;
}

/** One spoken token. Positions are samples since the recording began. */
export interface Burst {
  readonly token: number;
  readonly from: number;
  readonly to: number;
  /** The sample at which the token counts as spoken. */
  readonly anchor: number;
  /** Index of the burst's speech in `bursts`. */
  readonly speech: number;
}

/**
 * The recording of a wearable: bursts of real speech with silence between them. Each burst carries the next token. The
 * seed determines all audio, so any part can be made again and none is stored.
 */
export class SpokenTimeline {
  readonly #random: () => number;
  readonly #bursts: Burst[] = [];
  /** The last burst whose speech was marked with its token. */
  #marked: { readonly token: number; readonly pcm: Int16Array } | undefined;
  /** No burst begins at or after this position. */
  #end = Number.POSITIVE_INFINITY;

  constructor(private readonly options: TimelineOptions) {
    this.#random = seeded(options.seed * 4099 + options.wearable);
  }

  /** Ends the speech at a position. A burst that began before the position is completed. */
  endAt(position: number): void {
    this.#end = Math.min(this.#end, position);
  }

  /** Returns the number of bursts that begin before a position. */
  countBefore(position: number): number {
    while ((this.#bursts.at(-1)?.from ?? -1) < position) this.#add();
    const bound = Math.min(position, this.#end);
    let count = this.#bursts.length;
    while (count > 0 && this.#bursts[count - 1]!.from >= bound) count--;
    return count;
  }

  /** Returns the burst with a number. It may begin in the future. */
  burst(number: number): Burst {
    while (this.#bursts.length <= number) this.#add();
    return this.#bursts[number]!;
  }

  /** Returns the bursts that begin before a position, in order. */
  burstsBefore(position: number): readonly Burst[] {
    return this.#bursts.slice(0, this.countBefore(position));
  }

  /** Returns the bursts with audio between two positions, in order. */
  burstsBetween(from: number, to: number): readonly Burst[] {
    const count = this.countBefore(to);
    let first = count;
    while (first > 0 && this.#bursts[first - 1]!.to > from) first--;
    return this.#bursts.slice(first, count);
  }

  /**
   * Returns the audio between two positions.
   * @param isLeftOut whether silence replaces a burst.
   */
  audio(from: number, to: number, isLeftOut: (burst: Burst) => boolean = () => false): Int16Array {
    const pcm = new Int16Array(to - from);
    for (const burst of this.burstsBetween(from, to)) {
      if (isLeftOut(burst)) continue;
      const speech = this.#speechOf(burst);
      const first = Math.max(from, burst.from);
      const last = Math.min(to, burst.to);
      pcm.set(speech.subarray(first - burst.from, last - burst.from), first - from);
    }
    return pcm;
  }

  #speechOf({ token, speech }: Burst): Int16Array {
    if (this.#marked?.token !== token)
      this.#marked = { token, pcm: markSpeech(this.options.bursts[speech]!, token) };
    return this.#marked.pcm;
  }

  #add(): void {
    const { wearable, bursts, silence } = this.options;
    const [least, most] = silence;
    const pause = Math.round(((least + this.#random() * (most - least)) / 1000) * oracleRate);
    const speech = Math.floor(this.#random() * bursts.length);
    const { length } = bursts[speech]!;
    const from = (this.#bursts.at(-1)?.to ?? 0) + pause;
    const token = tokenOf({ wearable, number: this.#bursts.length });
    this.#bursts.push({ token, from, to: from + length, anchor: from + anchorOf(length), speech });
  }
}
