import { fixedLimits } from '../config/limits.js';
import { CochleaError } from '../errors/index.js';
import { Allowance } from './allowance.js';
import { readText, type TextLimits } from './client-text.js';

/** Bytes counted for every text beside its own: what it costs however short it is. */
const overhead = 256;

const priceOf = (text: string): number => text.length + overhead;

/**
 * The texts of one stream on their way to being parsed: at most so many bytes a second, so that a client that floods
 * its shard delays nothing but its own messages. Their order is kept. On the shard's thread only.
 */
export class TextBacklog {
  readonly #limits: TextLimits;
  readonly #room: number;
  readonly #allowance: Allowance;
  #waiting: string[] = [];
  #bytes = 0;

  constructor(limits: TextLimits) {
    const { textsReadRate, textsReadBurst, textsUnread } = fixedLimits;
    this.#limits = limits;
    this.#room = Math.max(textsUnread.value, 2 * limits.maxText);
    this.#allowance = new Allowance(textsReadRate.value, Math.max(textsReadBurst.value, 2 * limits.maxText));
  }

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Takes a text as it came.
   * @param bytes UTF-8; not kept.
   * @param now ms, the thread's monotonic clock.
   * @returns the text if it may be parsed now; undefined when it waits; null for what is nested too deep to be parsed.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  add(bytes: Buffer, now: number): string | null | undefined {
    const text = readText(bytes, this.#limits);
    const price = text === null ? overhead : priceOf(text);
    if (this.#waiting.length === 0 && this.#allowance.take(price, now)) return text;
    if (this.#bytes + price > this.#room) throw new CochleaError('texts_over_budget');
    if (text === null) return null;
    this.#waiting.push(text);
    this.#bytes += price;
    return undefined;
  }

  /** The oldest text that may be parsed now. */
  take(now: number): string | undefined {
    const [text] = this.#waiting;
    if (text === undefined || !this.#allowance.take(priceOf(text), now)) return undefined;
    return this.next();
  }

  /** The oldest text, whether it may be parsed by now or not. */
  next(): string | undefined {
    const text = this.#waiting.shift();
    if (text !== undefined) this.#bytes -= priceOf(text);
    return text;
  }

  clear(): void {
    this.#waiting = [];
    this.#bytes = 0;
  }
}
