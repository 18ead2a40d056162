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

/**
 * Ms that a pass of a shard may spend on the texts of all its streams together. The audio of every stream waits for a
 * pass to end, so however many clients send texts, they delay it by no more than this and the length of one text.
 */
const slice = 0.5;

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
   * @returns whether the time was used up: another pass may read more at once.
   */
  run(): boolean {
    const until = this.#monotonic() + slice;
    // Streams looked at since the last text was read: when that is all of them, nothing may be read by now.
    let passedOver = 0;
    for (const reader of this.#readers) {
      if (passedOver >= this.#readers.size) return false;
      this.#readers.delete(reader);
      const read = reader.readText();
      passedOver = read ? 0 : passedOver + 1;
      // At the end of the set, where this loop comes to it again.
      if (reader.textsWaiting > 0) this.#readers.add(reader);
      if (read && this.#monotonic() >= until) return true;
    }
    return false;
  }
}
