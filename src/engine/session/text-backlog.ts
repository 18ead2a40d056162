import { TokenBucket } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { ImageMemory } from '../images/index.js';
import { ByteQueue } from '../shared/index.js';
import { imageData, readText, type TextLimits, textToKeep } from './client-text.js';
import type { UnreadTexts } from './unread-texts.js';

/** Bytes counted for every text beside its own: what it costs however short it is. */
const overhead = 256;

/**
 * The texts of one stream on their way to being parsed, at most so many bytes a second, so that a client that floods its
 * shard delays nothing but its own messages. They wait as they came: what is not read is not decoded either. Their order is
 * kept. On the shard's thread only.
 */
export class TextBacklog {
  readonly #limits: TextLimits;
  readonly #shard: UnreadTexts;
  readonly #capacity: number;
  readonly #allowance: TokenBucket;
  readonly #texts = new ByteQueue();
  readonly #images: ImageMemory;
  /** Data of images by the number of their text; null where there was no space for it. */
  readonly #data = new Map<number, Buffer | null>();
  #added = 0;
  #taken = 0;
  #bytes = 0;

  /** @param shard counts what all streams of a shard hold. @param images from which the data of images is taken. */
  constructor(limits: TextLimits, shard: UnreadTexts, images: ImageMemory) {
    const { textsReadRate, textsReadBurst, textsUnread } = fixedLimits;
    this.#limits = limits;
    this.#shard = shard;
    this.#images = images;
    this.#capacity = Math.max(textsUnread.value, 2 * limits.maxText);
    this.#allowance = new TokenBucket(
      textsReadRate.value,
      Math.max(textsReadBurst.value, 2 * limits.maxText),
    );
  }

  get length(): number {
    return this.#texts.length;
  }

  /** Bytes that wait, as the limits count them. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes a text as it came.
   * @param bytes UTF-8; not kept.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  add(bytes: Buffer): void {
    const kept = textToKeep(bytes, this.#limits);
    const cost = kept.length + overhead;
    if (this.#bytes + cost > this.#capacity) throw new CochleaError('texts_over_budget');
    this.#texts.push(kept);
    this.#count(cost);
    if (kept !== bytes) this.#data.set(this.#added, this.#copied(imageData(bytes)));
    this.#added++;
  }

  /** Whether the oldest text may be read now. @param now ms, the thread's monotonic clock. */
  allows(now: number): boolean {
    const { oldest } = this.#texts;
    return oldest !== undefined && this.#allowance.allows(oldest.length + overhead, now);
  }

  /**
   * Takes the oldest text out, whether it may be read by now or not.
   * @returns null for what is nested too deep to be parsed, undefined when there is none.
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
   * The data of the chunk of an image that `next` gave last, once: the caller owns it, and gives it back to the memory of images.
   * @returns null when there was no space for it, undefined when the text has its data itself, or none.
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
    for (const data of this.#data.values()) if (data !== null) this.#images.give(data.length);
    this.#data.clear();
  }

  #copied(data: Buffer): Buffer | null {
    if (!this.#images.take(data.length)) return null;
    // Memory of its own, which is given to the thread that writes images.
    const copy = Buffer.allocUnsafeSlow(data.length);
    data.copy(copy);
    return copy;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#shard.count(bytes);
  }
}
