/** A stream with texts to read. */
export interface TextReader {
  /** Texts that wait. */
  readonly textsWaiting: number;
  /** Bytes of them. */
  readonly unreadBytes: number;
  /**
   * Reads the oldest text if it may be read by now. Never throws.
   * @returns whether it was read.
   */
  readText(): boolean;
  /** Gives up what waits. */
  shedTexts(): void;
}

/** Time of a thread for the texts of all its streams together. */
export interface TextTime {
  /** Ms that may be used at once. */
  readonly slice: number;
  /** Part of the thread's time that may be used in the long run, at most 1. */
  readonly share: number;
}

/** Lets the streams of a shard read their texts, one text each in turn, within the time that the thread has for them. */
export class TextTurns {
  readonly #monotonic: () => number;
  /** Streams with texts that wait, in the order of their turns. */
  readonly #readers = new Set<TextReader>();
  /** Ms that may be used, as of `#at`; below 0 after a text that took longer than there was time for. */
  #left = Number.POSITIVE_INFINITY;
  #at = 0;

  /** @param monotonic the thread's clock, in ms. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Whether texts wait, even if they may not be read by now. */
  get waiting(): boolean {
    return this.#readers.size > 0;
  }

  /** The stream with the most bytes that wait. */
  get fullest(): TextReader | undefined {
    let fullest: TextReader | undefined;
    for (const reader of this.#readers) {
      if (reader.unreadBytes > (fullest?.unreadBytes ?? 0)) fullest = reader;
    }
    return fullest;
  }

  /** This stream has texts that wait. */
  add(reader: TextReader): void {
    this.#readers.add(reader);
  }

  /**
   * Reads until nothing may be read by now, or the time is used up. A text is read to its end: if it takes longer than there is
   * time, later passes read nothing until that is made up for.
   * @returns whether the time was used up: a later pass may read more.
   */
  run({ slice, share }: TextTime): boolean {
    const began = this.#monotonic();
    this.#left = Math.min(slice, this.#left + Math.max(0, began - this.#at) * share);
    this.#at = began;
    if (this.#left <= 0) return true;
    const spent = this.#read(began + this.#left);
    this.#left -= this.#monotonic() - began;
    return spent;
  }

  /** @returns whether it ended because `until` had come. */
  #read(until: number): boolean {
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
      if (this.#monotonic() >= until) return true;
    }
    return false;
  }
}
