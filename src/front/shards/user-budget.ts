import { TokenBucket } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { bufferOf, type MessageBytes } from '../listener/index.js';

/** Settings of how much text a user may send. */
export type TextLimits = Pick<Settings, 'imageBurst' | 'textBurst' | 'textRate'>;

/** Bytes at each end of a text in which its type is looked for: an image's data stands between them. */
const typeWithin = 256;
const imageType = Buffer.from('"image_chunk"');

/**
 * Whether a text calls itself a chunk of an image, in constant time. The shard refuses one that is none (1009) if it is
 * larger than other texts may be.
 */
const namesImage = (message: MessageBytes): boolean => {
  const bytes = bufferOf(message);
  if (bytes.subarray(0, typeWithin).includes(imageType)) return true;
  return bytes.length > typeWithin && bytes.subarray(-typeWithin).includes(imageType);
};

/** Bytes that a message costs at least: small ones cost the engine more than their bytes. */
export const leastCost = fixedLimits.textCost.value;

/** How many bytes of text may be sent, those of images apart from all other text: of one user, or of an unknown socket. */
export class TextBudget {
  readonly #texts: TokenBucket;
  readonly #images: TokenBucket;

  constructor({ imageBurst, textBurst, textRate }: TextLimits) {
    this.#texts = new TokenBucket(textRate, textBurst);
    this.#images = new TokenBucket(textRate, imageBurst);
  }

  /** Takes a message. Returns false when it is more than what is left; nothing is taken then. */
  take(message: MessageBytes, now: number): boolean {
    const bucket = namesImage(message) ? this.#images : this.#texts;
    return bucket.take(Math.max(message.byteLength, leastCost), now);
  }

  /** Whether nothing is missing: it is the same then as a new one. */
  isFull(now: number): boolean {
    return this.#texts.isFull(now) && this.#images.isFull(now);
  }
}

/** Users whose budget is kept at most, beside those that have a socket open. */
const remembered = 100_000;

/** What one user may send, on all its sockets together. */
export interface UserBudget {
  /** Open sockets that take from it. */
  holders: number;
  /** Binary messages. */
  readonly messages: TokenBucket;
  readonly texts: TextBudget;
}

/**
 * The budgets of users. They outlive sockets, so that a reconnect brings no new budget; those that no socket holds are
 * forgotten when they are full again.
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
      const messages = new TokenBucket(messageRate.value, messageBurst.value);
      budget = { holders: 0, messages, texts: new TextBudget(this.#limits) };
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
      const full = budget.messages.isFull(now) && budget.texts.isFull(now);
      const kept = budget.holders > 0 || (!full && this.#budgets.size < remembered);
      if (kept) this.#budgets.set(uid, budget);
    }
  }
}
