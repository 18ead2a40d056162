/** Initial estimate of the ratio of the decoding time to the length of the speech. */
const assumedFactor = 0.25;
/** Weight of the initial estimate: it counts as much as a measurement of this length of speech, in ms. */
const assumedSpeech = 5000;
/** Factor by which the weight of earlier measurements shrinks with each new measurement. */
const memory = 0.95;

/**
 * Estimates decoding times from the real-time factor of about the last twenty utterances. Owned by the thread of
 * the transcriber.
 */
export class DecodeTimes {
  #speech = assumedSpeech;
  #decoded = assumedSpeech * assumedFactor;

  /** Ratio of the decoding time to the length of the speech. */
  get factor(): number {
    return this.#decoded / this.#speech;
  }

  /** Adds a measurement. @param speech length of the speech in ms. @param decoded duration of the decoding in ms. */
  add(speech: number, decoded: number): void {
    this.#speech = this.#speech * memory + speech;
    this.#decoded = this.#decoded * memory + decoded;
  }

  /** Returns the expected time in ms to decode `speech` ms of speech. */
  expected(speech: number): number {
    return speech * this.factor;
  }

  /**
   * Returns the expected remaining time in ms of a decode that has run for `elapsed` ms. An overdue decode is expected
   * to take its overdue time once more, because nothing else is known about it.
   */
  remaining(speech: number, elapsed: number): number {
    return Math.abs(this.expected(speech) - elapsed);
  }
}
