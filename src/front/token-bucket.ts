/** So much at once and so much a second, of whatever is counted; for one socket. */
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
    const earned = (Math.max(0, now - this.#at) * this.#perSecond) / 1000;
    this.#left = Math.min(this.#capacity, this.#left + earned);
    this.#at = now;
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }
}
