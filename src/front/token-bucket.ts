/** So much at once and so much a second, of whatever is counted. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  /** @param now a reading of the clock, in ms, that `take` will be given too. */
  constructor(capacity: number, perSecond: number, now: number) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#left = capacity;
    this.#at = now;
  }

  /** Takes an amount. Returns false when less is left; nothing is taken then. */
  take(amount: number, now: number): boolean {
    this.#left = this.#earned(now);
    this.#at = now;
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }

  /** Whether nothing is missing: it is the same then as a new one. */
  isWhole(now: number): boolean {
    return this.#earned(now) >= this.#capacity;
  }

  #earned(now: number): number {
    const earned = (Math.max(0, now - this.#at) * this.#perSecond) / 1000;
    return Math.min(this.#capacity, this.#left + earned);
  }
}
