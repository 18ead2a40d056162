const minute = 60_000;
/** Number of keys remembered. The key that asked longest ago is forgotten first; its next request finds a full allowance. */
const remembered = 100_000;

/**
 * Limits requests of each key to a number per minute, all of which may come at once. Its memory is bounded, however many
 * different keys there are: an attacker can choose addresses freely, and the limiter of the REST package is not bounded.
 *
 * It uses the generic cell rate algorithm, which stores for each key only the time at which its allowance will be full
 * again. A key whose time has passed is treated like one that was never seen.
 */
export class RateLimit {
  readonly #interval: number;
  readonly #clock: () => number;
  readonly #wholeAt = new Map<string, number>();

  /**
   * @param perMinute how many are taken at once, and how many come back a minute.
   * @param clock ms; monotonic.
   */
  constructor(perMinute: number, clock: () => number = () => performance.now()) {
    this.#interval = minute / perMinute;
    this.#clock = clock;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#wholeAt.size;
  }

  /**
   * Takes one request from the allowance of a key.
   * @returns 0 when it was taken; otherwise the ms after which one will be available, and nothing was taken.
   */
  take(key: string): number {
    const now = this.#clock();
    const wholeAt = Math.max(this.#wholeAt.get(key) ?? now, now) + this.#interval;
    if (wholeAt - now > minute + 1e-6) return wholeAt - now - minute;
    this.#wholeAt.delete(key);
    this.#wholeAt.set(key, wholeAt);
    this.#forget(now);
    return 0;
  }

  /** Takes an amount even when the allowance is too small for it. A key may owe what a minute brings, and waits until that has come. */
  charge(key: string, amount: number): void {
    const now = this.#clock();
    const wholeAt = Math.max(this.#wholeAt.get(key) ?? now, now) + amount * this.#interval;
    this.#wholeAt.delete(key);
    this.#wholeAt.set(key, Math.min(wholeAt, now + 2 * minute));
    this.#forget(now);
  }

  /**
   * Keys are in the order of their last request. Every request removes up to two of the oldest keys, if their allowance is
   * full again or too many keys are remembered.
   */
  #forget(now: number): void {
    let looked = 0;
    for (const [key, wholeAt] of this.#wholeAt) {
      if (++looked > 2 || (wholeAt > now && this.#wholeAt.size <= remembered)) return;
      this.#wholeAt.delete(key);
    }
  }
}
