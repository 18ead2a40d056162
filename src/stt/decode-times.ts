/** Until something was decoded, decoding is taken to last this part of the speech, with the weight of so many ms of speech. */
const assumedFactor = 0.25;
const assumedSpeech = 5000;
/** What an earlier measurement still counts for after each later one. */
const memory = 0.95;

/**
 * How long decoding takes, from what it took: the real-time factor over the last twenty utterances or so. Belongs to the
 * thread that owns the transcriber.
 */
export class DecodeTimes {
  #speech = assumedSpeech;
  #decoded = assumedSpeech * assumedFactor;

  /** Ms of decoding for each ms of speech. */
  get factor(): number {
    return this.#decoded / this.#speech;
  }

  /** @param speech ms of speech that took `decoded` ms. */
  add(speech: number, decoded: number): void {
    this.#speech = this.#speech * memory + speech;
    this.#decoded = this.#decoded * memory + decoded;
  }

  /** Ms that this much speech (ms) is expected to take. */
  expected(speech: number): number {
    return speech * this.factor;
  }

  /**
   * Ms that a decode still takes which has run for `elapsed` ms. One that is overdue is expected to last as much longer as it
   * is late, since nothing else is known about it.
   */
  remaining(speech: number, elapsed: number): number {
    return Math.abs(this.expected(speech) - elapsed);
  }
}
