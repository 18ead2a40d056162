import { fixedLimits } from '../config/limits.js';

/** Users whose budget is kept at most, beside those that have a socket open. */
const remembered = 100_000;

/**
 * How many binary messages a user may send, on all its sockets together: so many at once, and so many a second. Asked
 * once for every frame, so the clock counts only when what was there is spent.
 */
export class MessageBudget {
  /** Open sockets that take from it. */
  holders = 0;
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

/**
 * The message budgets of users. They outlive sockets, so that a reconnect brings no new budget; those that no socket holds
 * are forgotten when they are whole again.
 */
export class MessageBudgets {
  readonly #budgets = new Map<string, MessageBudget>();

  /** How many users are remembered. */
  get size(): number {
    return this.#budgets.size;
  }

  /** The budget of a user, for a socket that opens; it decrements `holders` when it is closed. */
  hold(uid: string, now: number): MessageBudget {
    const { messageBurst, messageRate } = fixedLimits;
    this.#forget(now);
    const known = this.#budgets.get(uid);
    const budget = known ?? new MessageBudget(messageBurst.value, messageRate.value, now);
    budget.holders++;
    if (known === undefined) this.#budgets.set(uid, budget);
    return budget;
  }

  /** Looks at the two that were looked at longest ago, so that not more are left over than come. */
  #forget(now: number): void {
    let looked = 0;
    for (const [uid, budget] of this.#budgets) {
      if (++looked > 2) return;
      this.#budgets.delete(uid);
      const kept = budget.holders > 0 || (!budget.isWhole(now) && this.#budgets.size < remembered);
      if (kept) this.#budgets.set(uid, budget);
    }
  }
}
