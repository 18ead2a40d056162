import { BucketRate } from '../common/index.js';

/** Number of keys remembered. The key that asked longest ago is forgotten first; its next request finds a full allowance. */
const remembered = 100_000;

/**
 * Limits requests of each key to a number per minute, and to a number at once. Its memory is bounded, however many
 * different keys there are: an attacker can choose addresses freely, and the limiter of the REST package is not bounded.
 *
 * Of each key it stores only the time at which its allowance will be full again. A key whose time has passed is treated like
 * one that was never seen.
 */
export class RateLimit {
  readonly #rate: BucketRate;
  readonly #clock: () => number;
  readonly #fullAt = new Map<string, number>();

  /**
   * @param perMinute how many come back a minute.
   * @param clock ms; monotonic.
   * @param burst how many are taken at once; as many as come back a minute when absent.
   */
  constructor(perMinute: number, clock: () => number = () => performance.now(), burst = perMinute) {
    this.#rate = new BucketRate(perMinute / 60, burst, perMinute);
    this.#clock = clock;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#fullAt.size;
  }

  /**
   * Takes one request from the allowance of a key.
   * @returns 0 when it was taken; otherwise the ms after which one will be available, and nothing was taken.
   */
  take(key: string): number {
    const now = this.#clock();
    const after = this.#rate.after(this.#fullAtOf(key), 1, now);
    const wait = this.#rate.wait(after, now);
    if (wait > 0) return wait;
    this.#keep(key, after, now);
    return 0;
  }

  /** Takes an amount even when the allowance is too small for it. A key may owe what a minute brings, and waits until that has come. */
  charge(key: string, amount: number): void {
    const now = this.#clock();
    this.#keep(key, this.#rate.afterCharge(this.#fullAtOf(key), amount, now), now);
  }

  #fullAtOf(key: string): number {
    return this.#fullAt.get(key) ?? Number.NEGATIVE_INFINITY;
  }

  #keep(key: string, fullAt: number, now: number): void {
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    this.#forget(now);
  }

  /**
   * Keys are in the order of their last request. Every request removes up to two of the oldest keys, if their allowance is
   * full again or too many keys are remembered.
   */
  #forget(now: number): void {
    let looked = 0;
    for (const [key, fullAt] of this.#fullAt) {
      if (++looked > 2 || (fullAt > now && this.#fullAt.size <= remembered)) return;
      this.#fullAt.delete(key);
    }
  }
}
