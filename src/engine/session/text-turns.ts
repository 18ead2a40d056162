/** A stream with waiting texts. */
export interface TextReader {
  /** Number of waiting texts. */
  readonly textsWaiting: number;
  /** Bytes of the waiting texts. */
  readonly unreadBytes: number;
  /**
   * Reads the oldest text if the allowance covers it. Never throws.
   * @returns whether a text was read.
   */
  readText(): boolean;
  /** Drops the waiting texts. */
  shedTexts(): void;
}

/** Time that a thread spends on the texts of all its streams together. */
export interface TextTime {
  /** Most ms in one call of `run`. */
  readonly slice: number;
  /** Share of the thread's time in the long run, at most 1. */
  readonly share: number;
}

/** Reads the texts of a shard's streams, one text of each stream in turn, within a time budget. */
export class TextTurns {
  /** Streams with waiting texts, in the order of their turns. */
  readonly #readers = new Set<TextReader>();
  /** Ms of budget left at time `#at`; negative after a text that took longer than the budget. */
  #left = Number.POSITIVE_INFINITY;
  #at = 0;

  /** @param monotonic the thread's clock, in ms. */
  constructor(private readonly monotonic: () => number) {}

  /** Whether texts wait, even if no allowance covers them now. */
  get waiting(): boolean {
    return this.#readers.size > 0;
  }

  /** The stream with the most waiting bytes. */
  get fullest(): TextReader | undefined {
    let fullest: TextReader | undefined;
    for (const reader of this.#readers) {
      if (reader.unreadBytes > (fullest?.unreadBytes ?? 0)) fullest = reader;
    }
    return fullest;
  }

  /** Adds a stream with waiting texts. */
  add(reader: TextReader): void {
    this.#readers.add(reader);
  }

  /**
   * Reads texts until no allowance covers the next text, or the budget is spent. It never interrupts a text. After a text that
   * exceeds the budget, later passes read nothing until the budget has recovered.
   * @returns whether the budget was spent, so that a later pass may read more.
   */
  run({ slice, share }: TextTime): boolean {
    const began = this.monotonic();
    this.#left = Math.min(slice, this.#left + Math.max(0, began - this.#at) * share);
    this.#at = began;
    if (this.#left <= 0) return true;
    const spent = this.#read(began + this.#left);
    this.#left -= this.monotonic() - began;
    return spent;
  }

  /** @returns whether it stopped at the time `until`. */
  #read(until: number): boolean {
    // Streams skipped since the last text was read. Once all are skipped, no text may be read now.
    let passedOver = 0;
    for (const reader of this.#readers) {
      if (passedOver >= this.#readers.size) return false;
      this.#readers.delete(reader);
      const read = reader.readText();
      const waits = reader.textsWaiting > 0;
      if (read) passedOver = 0;
      else if (waits) passedOver++;
      // Moves the stream to the end of the set, where this loop reaches it again.
      if (waits) this.#readers.add(reader);
      if (this.monotonic() >= until) return true;
    }
    return false;
  }
}
