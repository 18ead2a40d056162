import { fixedLimits } from '../../config/limits/index.js';

/** Counts the unread text of all streams of a shard. */
export class UnreadTexts {
  #bytes = 0;

  constructor(private readonly limit: number = fixedLimits.textsUnreadPerShard.value) {}

  /** Number of bytes of unread texts, plus 256 for each text. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds to the count. @param bytes the change; negative when texts were read or dropped. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether the shard has more unread text than its limit. The stream with the most must then drop its texts. */
  get excessive(): boolean {
    return this.#bytes > this.limit;
  }
}
