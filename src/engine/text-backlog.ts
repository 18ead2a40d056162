import { fixedLimits } from '../config/limits.js';
import { CochleaError } from '../errors/index.js';
import { TokenBucket } from '../wire/token-bucket.js';
import { readText, type TextLimits } from './client-text.js';

/** Bytes counted for every text beside its own: what it costs however short it is. */
const overhead = 256;
const brace = '{';

/** A text that waits, and what reading it costs. */
interface WaitingText {
  readonly text: string;
  readonly bytes: number;
  /** Objects in it, of which each may be a suggested segment. */
  readonly objects: number;
}

/**
 * Counts the objects in a text before it is parsed. Braces are counted wherever they stand, and only as many as a message
 * may hold segments: a message that holds more is refused whole.
 */
const objectsIn = (text: string): number => {
  let objects = 0;
  for (let at = text.indexOf(brace, 1); at >= 0 && objects < fixedLimits.suggestedSegments.value; objects++) {
    at = text.indexOf(brace, at + 1);
  }
  return objects;
};

/**
 * The texts of one stream on their way to being parsed: at most so many bytes and so many segments a second, so that a
 * client that floods its shard delays nothing but its own messages. Their order is kept. On the shard's thread only.
 */
export class TextBacklog {
  readonly #limits: TextLimits;
  readonly #capacity: number;
  readonly #byteAllowance: TokenBucket;
  readonly #segmentAllowance: TokenBucket;
  #waiting: WaitingText[] = [];
  #bytes = 0;

  constructor(limits: TextLimits) {
    const { suggestedRate, suggestedSegments, textsReadRate, textsReadBurst, textsUnread } = fixedLimits;
    this.#limits = limits;
    this.#capacity = Math.max(textsUnread.value, 2 * limits.maxText);
    this.#byteAllowance = new TokenBucket(
      textsReadRate.value,
      Math.max(textsReadBurst.value, 2 * limits.maxText),
    );
    this.#segmentAllowance = new TokenBucket(suggestedRate.value, suggestedSegments.value);
  }

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Takes a text as it came.
   * @param bytes UTF-8; not kept.
   * @returns false for a text that is nested too deep to be parsed: it was not taken.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  add(bytes: Buffer): boolean {
    const text = readText(bytes, this.#limits);
    const size = (text?.length ?? 0) + overhead;
    if (this.#bytes + size > this.#capacity) throw new CochleaError('texts_over_budget');
    if (text === null) return false;
    this.#waiting.push({ text, bytes: size, objects: objectsIn(text) });
    this.#bytes += size;
    return true;
  }

  /**
   * The oldest text, if it may be parsed now.
   * @param now ms, the thread's monotonic clock.
   */
  take(now: number): string | undefined {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return undefined;
    const { bytes, objects } = oldest;
    if (!this.#byteAllowance.allows(bytes, now) || !this.#segmentAllowance.allows(objects, now)) {
      return undefined;
    }
    this.#byteAllowance.take(bytes, now);
    this.#segmentAllowance.take(objects, now);
    return this.next();
  }

  /** The oldest text, whether it may be parsed by now or not. */
  next(): string | undefined {
    const oldest = this.#waiting.shift();
    if (oldest !== undefined) this.#bytes -= oldest.bytes;
    return oldest?.text;
  }

  clear(): void {
    this.#waiting = [];
    this.#bytes = 0;
  }
}
