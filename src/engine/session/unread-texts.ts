import { fixedLimits } from '../../config/limits/index.js';

/** How much text the streams of one shard hold together that is not read yet. */
export class UnreadTexts {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number = fixedLimits.textsUnreadPerShard.value) {
    this.#limit = limit;
  }

  /** As the limits count them: 256 for each text beside its own. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param bytes more than before; negative for less. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether it is more than the shard may hold: the stream with the most has to give its texts up. */
  get excessive(): boolean {
    return this.#bytes > this.#limit;
  }
}
