import { TokenBucket } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { bufferOf, type MessageBytes } from '../listener/index.js';

/** Settings that limit the amount of text from a user. */
export type TextLimits = Pick<Settings, 'imageBurst' | 'textBurst' | 'textRate'>;

/**
 * Number of bytes at the start and at the end of a text that are searched for its type. The data of an image lies
 * between them.
 */
const typeWithin = 256;
const imageType = Buffer.from('"image_chunk"');

/**
 * Returns whether a text declares itself a chunk of an image, in constant time. If the declaration is false and the
 * text exceeds the limit for other texts, the shard closes the stream (1009).
 */
const namesImage = (message: MessageBytes): boolean => {
  const bytes = bufferOf(message);
  if (bytes.subarray(0, typeWithin).includes(imageType)) return true;
  return bytes.length > typeWithin && bytes.subarray(-typeWithin).includes(imageType);
};

/** Minimum cost of a message in bytes. A small message costs the engine more work than its bytes suggest. */
export const leastCost = fixedLimits.textCost.value;

/**
 * Limits the bytes of text from a user, or from an unauthenticated socket. Chunks of images and other texts have
 * separate limits.
 */
export class TextBudget {
  readonly #texts: TokenBucket;
  readonly #images: TokenBucket;

  constructor({ imageBurst, textBurst, textRate }: TextLimits) {
    this.#texts = new TokenBucket(textRate, textBurst);
    this.#images = new TokenBucket(textRate, imageBurst);
  }

  /**
   * Takes the cost of a message from the budget.
   * @returns false if the budget has too little left. Nothing is then taken.
   */
  take(message: MessageBytes, now: number): boolean {
    const bucket = namesImage(message) ? this.#images : this.#texts;
    return bucket.take(Math.max(message.byteLength, leastCost), now);
  }

  /** Returns whether the budget is full. A full budget equals a new one. */
  isFull(now: number): boolean {
    return this.#texts.isFull(now) && this.#images.isFull(now);
  }
}

/** If more users than this have a budget, a budget without open sockets is deleted even if it is not full. */
const remembered = 100_000;

/** The budget of one user. All sockets of the user share it. */
export interface UserBudget {
  /** Number of open sockets that use the budget. */
  holders: number;
  /** Budget for binary messages. */
  readonly messages: TokenBucket;
  readonly texts: TextBudget;
}

/**
 * The budgets of all users. A budget exists longer than the sockets of its user, so a client gets no new budget by
 * reconnecting. A budget without an open socket is deleted when it is full again.
 */
export class UserBudgets {
  readonly #budgets = new Map<string, UserBudget>();

  constructor(private readonly limits: TextLimits) {}

  /** Number of users with a budget. */
  get size(): number {
    return this.#budgets.size;
  }

  /** Returns the budget of a user, for a socket that opens. The caller decrements `holders` when the socket closes. */
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

  /**
   * Checks the two budgets whose last check is oldest, and deletes them if unused. Runs for each new socket, so unused
   * budgets do not accumulate.
   */
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
