/** A stream with texts to read. */
export interface TextReader {
  /** Texts that wait. */
  readonly textsWaiting: number;
  /**
   * Reads the oldest text if it may be read by now. Never throws.
   * @returns whether it was read.
   */
  readText(): boolean;
}

/** Lets the streams of a shard read their texts, one text each in turn, within the time that a pass has for them. */
export class TextTurns {
  readonly #monotonic: () => number;
  /** Streams with texts that wait, in the order of their turns. */
  readonly #readers = new Set<TextReader>();

  /** @param monotonic the thread's clock, in ms. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Whether texts wait, even if they may not be read by now. */
  get waiting(): boolean {
    return this.#readers.size > 0;
  }

  /** This stream has texts that wait. */
  add(reader: TextReader): void {
    this.#readers.add(reader);
  }

  /**
   * Reads until nothing may be read by now, or the time of a pass is used up; at least one text.
   * @param slice ms.
   * @returns whether the time was used up: another pass may read more at once.
   */
  run(slice: number): boolean {
    const until = this.#monotonic() + slice;
    // Streams looked at since the last text was read: when that is all of them, nothing may be read by now.
    let passedOver = 0;
    for (const reader of this.#readers) {
      if (passedOver >= this.#readers.size) return false;
      this.#readers.delete(reader);
      const read = reader.readText();
      const waits = reader.textsWaiting > 0;
      if (read) passedOver = 0;
      else if (waits) passedOver++;
      // At the end of the set, where this loop comes to it again.
      if (waits) this.#readers.add(reader);
      if (read && this.#monotonic() >= until) return true;
    }
    return false;
  }
}
