import { fixedLimits } from '../config/limits.js';
import type { Settings } from '../config/settings.js';
import { TokenBucket } from './token-bucket.js';

/** Settings of how much text a user may send. */
export type TextBudget = Pick<Settings, 'textBurst' | 'textRate'>;

/** A new budget for texts. @param now ms of the clock that `take` will be given. */
export const textBudget = ({ textBurst, textRate }: TextBudget, now: number): TokenBucket =>
  new TokenBucket(textBurst, textRate, now);

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
  /** Bytes of text. */
  readonly texts: TokenBucket;
}

/**
 * The budgets of users. They outlive sockets, so that a reconnect brings no new budget; those that no socket holds are
 * forgotten when they are whole again.
 */
export class UserBudgets {
  readonly #limits: TextBudget;
  readonly #budgets = new Map<string, UserBudget>();

  constructor(limits: TextBudget) {
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
      budget = { holders: 0, messages, texts: textBudget(this.#limits, now) };
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
