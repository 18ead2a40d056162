import { TokenBucket } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { bufferOf, type MessageBytes } from '../listener/index.js';

/** Settings for the amount of text that a user may send. */
export type TextLimits = Pick<Settings, 'imageBurst' | 'textBurst' | 'textRate'>;

/** Bytes at each end of a text that are searched for its type: an image's data lies between them. */
const typeWithin = 256;
const imageType = Buffer.from('"image_chunk"');

/**
 * Whether a text declares itself a chunk of an image, in constant time. The shard refuses a false one (1009) if it is
 * larger than other texts may be.
 */
const namesImage = (message: MessageBytes): boolean => {
  const bytes = bufferOf(message);
  if (bytes.subarray(0, typeWithin).includes(imageType)) return true;
  return bytes.length > typeWithin && bytes.subarray(-typeWithin).includes(imageType);
};

/** Least cost of a message in bytes: small ones cost the engine more than their bytes. */
export const leastCost = fixedLimits.textCost.value;

/** How many bytes of text a user, or an unauthenticated socket, may send. Image chunks and all other texts are counted separately. */
export class TextBudget {
  readonly #texts: TokenBucket;
  readonly #images: TokenBucket;

  constructor({ imageBurst, textBurst, textRate }: TextLimits) {
    this.#texts = new TokenBucket(textRate, textBurst);
    this.#images = new TokenBucket(textRate, imageBurst);
  }

  /** Takes the cost of a message from the budget. Returns false, and takes nothing, if too little is left. */
  take(message: MessageBytes, now: number): boolean {
    const bucket = namesImage(message) ? this.#images : this.#texts;
    return bucket.take(Math.max(message.byteLength, leastCost), now);
  }

  /** Whether the budget is full: it then equals a new one. */
  isFull(now: number): boolean {
    return this.#texts.isFull(now) && this.#images.isFull(now);
  }
}

/** Most users whose budget is kept beside those with open sockets. */
const remembered = 100_000;

/** The budget of one user, for all its sockets together. */
export interface UserBudget {
  /** Open sockets that use it. */
  holders: number;
  /** Budget for binary messages. */
  readonly messages: TokenBucket;
  readonly texts: TextBudget;
}

/**
 * The budgets of users. They outlive sockets, so a reconnect gives no new budget. A budget without an open socket is
 * deleted once it is full again.
 */
export class UserBudgets {
  readonly #budgets = new Map<string, UserBudget>();

  constructor(private readonly limits: TextLimits) {}

  /** Number of users with a budget. */
  get size(): number {
    return this.#budgets.size;
  }

  /** The budget of a user, for a socket that opens. The socket decrements `holders` when it closes. */
  hold(uid: string, now: number): UserBudget {
    this.#forget(now);
    let budget = this.#budgets.get(uid);
    if (budget === undefined) {
      const { messageBurst, messageRate } = fixedLimits;
      const messages = new TokenBucket(messageRate.value, messageBurst.value);
      budget = { holders: 0, messages, texts: new TextBudget(this.limits) };
      this.#budgets.set(uid, budget);
    }
    budget.holders++;
    return budget;
  }

  /** Checks the two budgets that were checked longest ago. It runs for each new socket, so unused budgets do not accumulate. */
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
