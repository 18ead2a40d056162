/** A stream with waiting texts. */
export interface TextReader {
  /** Number of waiting texts. */
  readonly textsWaiting: number;
  /** Number of bytes of the waiting texts. */
  readonly unreadBytes: number;
  /**
   * Reads the oldest text if the allowance covers it. Never throws.
   * @returns whether a text was read.
   */
  readText(): boolean;
  /** Drops the waiting texts. */
  shedTexts(): void;
}

/** Limits of the time that a thread spends on the texts of all its streams together. */
export interface TextTime {
  /** Maximum time in ms of one call of `run`. */
  readonly slice: number;
  /** Maximum share of the thread's time in the long run; at most 1. */
  readonly share: number;
}

/** Reads the texts of a shard's streams within a time budget. It reads one text of each stream in turn. */
export class TextTurns {
  /** Streams with waiting texts, in the order in which they are served. */
  readonly #readers = new Set<TextReader>();
  /** Remaining budget in ms at time `#at`. It is negative after a text that took longer than the budget. */
  #left = Number.POSITIVE_INFINITY;
  #at = 0;

  /** @param monotonic the thread's clock, in ms. */
  constructor(private readonly monotonic: () => number) {}

  /** Whether some stream has waiting texts, even if its allowance does not cover them now. */
  get waiting(): boolean {
    return this.#readers.size > 0;
  }

  /** The stream with the most bytes of waiting texts. */
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
   * Reads texts until no allowance covers the next text, or until the budget is spent. A text is always read
   * completely. After a text that exceeds the budget, later passes read nothing until the budget has recovered.
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

  /** Reads texts until the time `until`. @returns whether it stopped because of the time. */
  #read(until: number): boolean {
    // Number of consecutive streams whose allowance covered no text. Once this equals the number of streams, the
    // loop ends.
    let passedOver = 0;
    for (const reader of this.#readers) {
      if (passedOver >= this.#readers.size) return false;
      this.#readers.delete(reader);
      const read = reader.readText();
      const waits = reader.textsWaiting > 0;
      if (read) passedOver = 0;
      else if (waits) passedOver++;
      // Moves the stream to the end of the set, so that this loop serves it again after the others.
      if (waits) this.#readers.add(reader);
      if (this.monotonic() >= until) return true;
    }
    return false;
  }
}
