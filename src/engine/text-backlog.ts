import { fixedLimits } from '../config/limits.js';
import { CochleaError } from '../errors/index.js';
import { Allowance } from './allowance.js';
import { readText, type TextLimits } from './client-text.js';

/** Bytes counted for every text beside its own: what it costs however short it is. */
const overhead = 256;
/** Bytes counted for every object in a text beside its own: a suggested segment costs far more than its characters. */
const objectOverhead = 128;
const brace = '{';

interface WaitingText {
  readonly text: string;
  readonly price: number;
}

/**
 * What reading a text costs, known before it is parsed. Braces are counted wherever they stand, and only as many as a
 * message may hold segments: one that holds more is refused whole.
 */
const priceOf = (text: string): number => {
  let objects = 0;
  for (let at = text.indexOf(brace, 1); at >= 0 && objects < fixedLimits.suggestedSegments.value; objects++) {
    at = text.indexOf(brace, at + 1);
  }
  return text.length + overhead + objects * objectOverhead;
};

/**
 * The texts of one stream on their way to being parsed: at most so many bytes a second, so that a client that floods
 * its shard delays nothing but its own messages. Their order is kept. On the shard's thread only.
 */
export class TextBacklog {
  readonly #limits: TextLimits;
  readonly #room: number;
  readonly #allowance: Allowance;
  #waiting: WaitingText[] = [];
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
    this.#waiting.push({ text, price });
    this.#bytes += price;
    return undefined;
  }

  /** The oldest text that may be parsed now. */
  take(now: number): string | undefined {
    const [oldest] = this.#waiting;
    if (oldest === undefined || !this.#allowance.take(oldest.price, now)) return undefined;
    return this.next();
  }

  /** The oldest text, whether it may be parsed by now or not. */
  next(): string | undefined {
    const oldest = this.#waiting.shift();
    if (oldest !== undefined) this.#bytes -= oldest.price;
    return oldest?.text;
  }

  clear(): void {
    this.#waiting = [];
    this.#bytes = 0;
  }
}
