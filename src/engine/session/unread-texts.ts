import { fixedLimits } from '../../config/limits/index.js';

/** Counts the unread text of all streams of a shard. */
export class UnreadTexts {
  #bytes = 0;

  constructor(private readonly limit: number = fixedLimits.textsUnreadPerShard.value) {}

  /** Bytes of unread texts, plus 256 for each text. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param bytes the change; negative for less. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether the shard holds too much unread text. The stream with the most must then give up its texts. */
  get excessive(): boolean {
    return this.#bytes > this.limit;
  }
}
