import { TokenBucket } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { ImageMemory } from '../images/index.js';
import { ByteQueue } from '../shared/index.js';
import { imageData, readText, type TextLimits, textToKeep } from './client-text.js';
import type { UnreadTexts } from './unread-texts.js';

/** Number of bytes added to the size of each text, because reading a short text also takes time. */
const overhead = 256;

/**
 * Waiting texts of one stream. The stream reads a limited number of bytes per second, so a client that floods
 * delays only its own messages. The texts are stored as undecoded bytes, in order. Use it on the shard's thread
 * only.
 */
export class TextBacklog {
  readonly #capacity: number;
  readonly #allowance: TokenBucket;
  readonly #texts = new ByteQueue();
  /** Image data by the number of its text; null if the user's image memory had no space for it. */
  readonly #data = new Map<number, Buffer | null>();
  #added = 0;
  #taken = 0;
  #bytes = 0;

  /**
   * @param shard counts the unread texts of all streams of the shard.
   * @param images the user's image memory, which counts image data.
   */
  constructor(
    private readonly limits: TextLimits,
    private readonly shard: UnreadTexts,
    private readonly images: ImageMemory,
  ) {
    const { textsReadRate, textsReadBurst, textsUnread } = fixedLimits;
    this.#capacity = Math.max(textsUnread.value, 2 * limits.maxText);
    this.#allowance = new TokenBucket(
      textsReadRate.value,
      Math.max(textsReadBurst.value, 2 * limits.maxText),
    );
  }

  get length(): number {
    return this.#texts.length;
  }

  /** Number of bytes of the waiting texts, plus `overhead` for each text. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Queues a text.
   * @param bytes UTF-8; copied, so the caller may reuse the buffer.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  add(bytes: Buffer): void {
    const kept = textToKeep(bytes, this.limits);
    const cost = kept.length + overhead;
    if (this.#bytes + cost > this.#capacity) throw new CochleaError('texts_over_budget');
    this.#texts.push(kept);
    this.#count(cost);
    if (kept !== bytes) this.#data.set(this.#added, this.#copied(imageData(bytes)));
    this.#added++;
  }

  /** Whether the allowance covers the oldest text. @param now ms, the thread's monotonic clock. */
  allows(now: number): boolean {
    const { oldest } = this.#texts;
    return oldest !== undefined && this.#allowance.allows(oldest.length + overhead, now);
  }

  /**
   * Removes the oldest text, even if the allowance does not cover it.
   * @returns the decoded text; null if its JSON is nested too deep to parse, undefined if no text waits.
   */
  next(now: number): string | null | undefined {
    const { oldest } = this.#texts;
    if (oldest === undefined) return undefined;
    const cost = oldest.length + overhead;
    this.#allowance.take(cost, now);
    const text = readText(oldest);
    this.#texts.drop();
    this.#count(-cost);
    this.#taken++;
    return text;
  }

  /**
   * Returns the image data of the text that `next` returned last. A second call returns undefined. The caller owns the
   * data, and must free its bytes in the user's image memory.
   * @returns null if the user's image memory had no space; undefined if the text contains its data or belongs to no
   * image.
   */
  takeData(): Buffer | null | undefined {
    const number = this.#taken - 1;
    const data = this.#data.get(number);
    this.#data.delete(number);
    return data;
  }

  clear(): void {
    this.#texts.clear();
    this.#count(-this.#bytes);
    this.#taken = this.#added;
    for (const data of this.#data.values()) if (data !== null) this.images.give(data.length);
    this.#data.clear();
  }

  #copied(data: Buffer): Buffer | null {
    if (!this.images.take(data.length)) return null;
    // Allocates outside Node's shared pool, because the buffer's memory is transferred to the thread that writes
    // images.
    const copy = Buffer.allocUnsafeSlow(data.length);
    data.copy(copy);
    return copy;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.shard.count(bytes);
  }
}
