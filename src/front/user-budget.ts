import { fixedLimits } from '../config/limits.js';
import type { Settings } from '../config/settings.js';
import { TokenBucket } from './token-bucket.js';

/** Settings of how much text a user may send. */
export type TextLimits = Pick<Settings, 'imageBurst' | 'textBurst' | 'textRate'>;

/** Bytes at each end of a text in which its type is looked for: an image's data stands between them. */
const typeWithin = 256;
const imageType = Buffer.from('"image_chunk"');

/**
 * Whether a text calls itself a chunk of an image, in constant time. The shard refuses one that is none (1009) if it is
 * larger than other texts may be.
 */
const namesImage = (message: ArrayBuffer): boolean => {
  const { byteLength } = message;
  const head = Buffer.from(message, 0, Math.min(byteLength, typeWithin));
  if (head.includes(imageType)) return true;
  if (byteLength <= typeWithin) return false;
  return Buffer.from(message, byteLength - typeWithin, typeWithin).includes(imageType);
};

/** Bytes that a message costs at least: small ones cost the engine more than their bytes. */
export const leastCost = fixedLimits.textCost.value;

/** How many bytes of text may be sent, those of images apart from all other text: of one user, or of an unknown socket. */
export class TextBudget {
  readonly #texts: TokenBucket;
  readonly #images: TokenBucket;

  /** @param now ms of the clock that `take` will be given. */
  constructor({ imageBurst, textBurst, textRate }: TextLimits, now: number) {
    this.#texts = new TokenBucket(textBurst, textRate, now);
    this.#images = new TokenBucket(imageBurst, textRate, now);
  }

  /** Takes a message. Returns false when it is more than what is left; nothing is taken then. */
  take(message: ArrayBuffer, now: number): boolean {
    const bucket = namesImage(message) ? this.#images : this.#texts;
    return bucket.take(Math.max(message.byteLength, leastCost), now);
  }

  /** Whether nothing is missing: it is the same then as a new one. */
  isWhole(now: number): boolean {
    return this.#texts.isWhole(now) && this.#images.isWhole(now);
  }
}

/** Users whose budget is kept at most, beside those that have a socket open. */
const remembered = 100_000;

/**
 * How many binary messages a user may send, on all its sockets together: so many at once, and so many a second. Asked
 * once for every frame, so the clock counts only when what was there is spent.
 */
export class MessageBudget {
  readonly #burst: number;
  readonly #perMillisecond: number;
  #left: number;
  #at: number;

  /** @param now a reading of the clock, in ms, that `take` will be given too. */
  constructor(burst: number, perSecond: number, now: number) {
    this.#burst = burst;
    this.#perMillisecond = perSecond / 1000;
    this.#left = burst;
    this.#at = now;
  }

  /** Takes one. Returns false when none is left. */
  take(now: number): boolean {
    if (this.#left < 1) {
      this.#left = this.#earned(now);
      this.#at = now;
      if (this.#left < 1) return false;
    }
    this.#left--;
    return true;
  }

  /** Whether nothing is missing: it is the same then as a new one. */
  isWhole(now: number): boolean {
    return this.#earned(now) >= this.#burst;
  }

  #earned(now: number): number {
    return Math.min(this.#burst, this.#left + Math.max(0, now - this.#at) * this.#perMillisecond);
  }
}

/** What one user may send, on all its sockets together. */
export interface UserBudget {
  /** Open sockets that take from it. */
  holders: number;
  /** Binary messages. */
  readonly messages: MessageBudget;
  readonly texts: TextBudget;
}

/**
 * The budgets of users. They outlive sockets, so that a reconnect brings no new budget; those that no socket holds are
 * forgotten when they are whole again.
 */
export class UserBudgets {
  readonly #limits: TextLimits;
  readonly #budgets = new Map<string, UserBudget>();

  constructor(limits: TextLimits) {
    this.#limits = limits;
  }

  /** How many users are remembered. */
  get size(): number {
    return this.#budgets.size;
  }

  /** The budget of a user, for a socket that opens; it decrements `holders` when it is closed. */
  hold(uid: string, now: number): UserBudget {
    this.#forget(now);
    let budget = this.#budgets.get(uid);
    if (budget === undefined) {
      const { messageBurst, messageRate } = fixedLimits;
      const messages = new MessageBudget(messageBurst.value, messageRate.value, now);
      budget = { holders: 0, messages, texts: new TextBudget(this.#limits, now) };
      this.#budgets.set(uid, budget);
    }
    budget.holders++;
    return budget;
  }

  /** Looks at the two that were looked at longest ago, so that not more are left over than come. */
  #forget(now: number): void {
    let looked = 0;
    for (const [uid, budget] of this.#budgets) {
      if (++looked > 2) return;
      this.#budgets.delete(uid);
      const whole = budget.messages.isWhole(now) && budget.texts.isWhole(now);
      const kept = budget.holders > 0 || (!whole && this.#budgets.size < remembered);
      if (kept) this.#budgets.set(uid, budget);
    }
  }
}
