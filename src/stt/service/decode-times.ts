/** Initial assumption: decoding time as a share of the speech, and its weight in ms of speech. */
const assumedFactor = 0.25;
const assumedSpeech = 5000;
/** Factor that reduces the weight of earlier measurements with each new one. */
const memory = 0.95;

/**
 * Estimates decoding time from the real-time factor of about the last twenty utterances. Owned by the thread of the
 * transcriber.
 */
export class DecodeTimes {
  #speech = assumedSpeech;
  #decoded = assumedSpeech * assumedFactor;

  /** Ms of decoding per ms of speech. */
  get factor(): number {
    return this.#decoded / this.#speech;
  }

  /** Adds a measurement: `speech` ms of speech took `decoded` ms. */
  add(speech: number, decoded: number): void {
    this.#speech = this.#speech * memory + speech;
    this.#decoded = this.#decoded * memory + decoded;
  }

  /** Ms that decoding `speech` ms of speech is expected to take. */
  expected(speech: number): number {
    return speech * this.factor;
  }

  /**
   * Expected remaining ms of a decode that has run for `elapsed` ms. An overdue decode is expected to take as much
   * longer as it is overdue, because nothing else is known about it.
   */
  remaining(speech: number, elapsed: number): number {
    return Math.abs(this.expected(speech) - elapsed);
  }
}
