/** Assumed decoding time as a share of the speech, and the ms of speech by which this assumption is weighted at first. */
const assumedFactor = 0.25;
const assumedSpeech = 5000;
/** Factor by which the weight of earlier measurements is reduced with each new one. */
const memory = 0.95;

/**
 * Estimates how long decoding takes, by the real-time factor of about the last twenty utterances. Owned by the thread of the
 * transcriber.
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

  /** Ms that decoding `speech` ms of speech is expected to take. */
  expected(speech: number): number {
    return speech * this.factor;
  }

  /**
   * Ms that a decode which has run for `elapsed` ms is expected to take from now. One that has exceeded its expected time is
   * expected to take as much longer as it has exceeded it, since nothing else is known about it.
   */
  remaining(speech: number, elapsed: number): number {
    return Math.abs(this.expected(speech) - elapsed);
  }
}
