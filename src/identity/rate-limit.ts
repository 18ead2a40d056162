import { BucketRate } from '../common/index.js';

/**
 * Maximum number of stored keys. Beyond this number, the key with the oldest request is removed. A removed key has a
 * full allowance at its next request.
 */
const remembered = 100_000;

/**
 * Limits the requests of each key to a rate per minute and a burst. The limiter's memory is bounded for any number of
 * keys, because attackers can choose addresses freely.
 *
 * For each key, the limiter stores only the time at which the allowance of the key is full again. A key whose time is
 * in the past has a full allowance, like a key that is not stored.
 */
export class RateLimit {
  readonly #rate: BucketRate;
  readonly #fullAt = new Map<string, number>();

  /**
   * @param perMinute number of requests that are added to the allowance per minute.
   * @param clock monotonic time in ms.
   * @param burst maximum number of requests at once; absent: `perMinute`.
   */
  constructor(
    perMinute: number,
    private readonly clock: () => number = () => performance.now(),
    burst = perMinute,
  ) {
    this.#rate = new BucketRate(perMinute / 60, burst, perMinute);
  }

  /** Number of stored keys. */
  get size(): number {
    return this.#fullAt.size;
  }

  /**
   * Takes one request from the allowance of a key.
   * @returns 0 if a request was taken. Otherwise nothing is taken, and the result is the number of ms until a request
   *   is available.
   */
  take(key: string): number {
    const now = this.clock();
    const after = this.#rate.after(this.#fullAtOf(key), 1, now);
    const wait = this.#rate.wait(after, now);
    if (wait > 0) return wait;
    this.#keep(key, after, now);
    return 0;
  }

  /**
   * Takes an amount from the allowance of a key, even if the allowance is too small. The debt of a key is at most the
   * allowance of one minute. Further requests of the key wait until the debt is repaid.
   */
  charge(key: string, amount: number): void {
    const now = this.clock();
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
   * Removes up to two of the oldest keys if their allowance is full again, or if too many keys are stored. Called for
   * every request. Keys are stored in the order of their last request.
   */
  #forget(now: number): void {
    let looked = 0;
    for (const [key, fullAt] of this.#fullAt) {
      if (++looked > 2 || (fullAt > now && this.#fullAt.size <= remembered)) return;
      this.#fullAt.delete(key);
    }
  }
}
