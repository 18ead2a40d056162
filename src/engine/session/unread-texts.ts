import { fixedLimits } from '../../config/limits/index.js';

/** Counts the text messages that the streams of a shard have received and not yet read. */
export class UnreadTexts {
  #bytes = 0;

  constructor(private readonly limit: number = fixedLimits.textsUnreadPerShard.value) {}

  /** Number of bytes of the unread texts, plus 256 for each text. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds to the count. @param bytes the change; negative when texts were read or dropped. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether the shard has more unread text than its limit. The stream with the most unread text must then drop its texts. */
  get excessive(): boolean {
    return this.#bytes > this.limit;
  }
}
