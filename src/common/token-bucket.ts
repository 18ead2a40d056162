/** Tolerance in ms for rounding errors in the time that an amount costs. */
const rounding = 1e-6;
/** Maximum ms by which the clock may run backwards. A larger step means that the clock has wrapped. */
const backwards = 1000;

/**
 * Fill rate and capacity of token buckets. This class implements the generic cell rate algorithm: a bucket is one
 * number, the time at which it will be full. Taking costs a few comparisons and allocates nothing.
 *
 * Times are ms of any monotonic clock. When the clock wraps, the bucket counts as full. An unused bucket is full since
 * minus infinity.
 */
export class BucketRate {
  /** Number of ms in which the bucket earns one unit. */
  readonly #price: number;
  /** Number of ms in which an empty bucket becomes full. */
  readonly #capacity: number;
  /** Number of ms in which a bucket with the maximum debt becomes full. */
  readonly #longest: number;

  /**
   * @param perSecond units earned per second.
   * @param burst units of a full bucket; a larger amount is never granted.
   * @param debt additional units that a bucket may owe after a charge.
   */
  constructor(perSecond: number, burst: number, debt = 0) {
    this.#price = 1000 / perSecond;
    this.#capacity = burst * this.#price;
    this.#longest = this.#capacity + debt * this.#price;
  }

  /** Returns the time at which the bucket is full again, after an amount is taken. @param fullAt time at which it is full now. */
  after(fullAt: number, amount: number, now: number): number {
    return (this.isFull(fullAt, now) ? now : fullAt) + amount * this.#price;
  }

  /** Returns the same time as `after`, for an amount that is always taken. The maximum debt limits the returned time. */
  afterCharge(fullAt: number, amount: number, now: number): number {
    return Math.min(this.after(fullAt, amount, now), now + this.#longest);
  }

  /**
   * Returns the ms until an amount can be taken; 0 if it can be taken now.
   * @param after the time that the method `after` returned for this amount.
   */
  wait(after: number, now: number): number {
    const wait = after - now - this.#capacity;
    return wait > rounding ? wait : 0;
  }

  isFull(fullAt: number, now: number): boolean {
    const missing = fullAt - now;
    return missing <= 0 || missing > this.#longest + backwards;
  }
}

/** A token bucket. It grants a burst at once, then a number of units per second. */
export class TokenBucket {
  readonly #rate: BucketRate;
  #fullAt = Number.NEGATIVE_INFINITY;

  /**
   * @param perSecond units earned per second.
   * @param burst units of a full bucket; a larger amount is never granted.
   * @param debt additional units that the bucket may owe after a charge.
   */
  constructor(perSecond: number, burst: number, debt = 0) {
    this.#rate = new BucketRate(perSecond, burst, debt);
  }

  /**
   * Takes the whole amount or nothing.
   * @param now ms of the bucket's clock.
   * @returns whether the amount was taken.
   */
  take(amount: number, now: number): boolean {
    const after = this.#rate.after(this.#fullAt, amount, now);
    if (this.#rate.wait(after, now) > 0) return false;
    this.#fullAt = after;
    return true;
  }

  /**
   * Takes an amount that is known only after its use. The bucket owes missing units, and must earn them before it
   * grants more.
   */
  charge(amount: number, now: number): void {
    this.#fullAt = this.#rate.afterCharge(this.#fullAt, amount, now);
  }

  /** Checks whether `take` would take this amount. */
  allows(amount: number, now: number): boolean {
    return this.#rate.wait(this.#rate.after(this.#fullAt, amount, now), now) === 0;
  }

  /** Checks whether the bucket is full and therefore equal to a new bucket. */
  isFull(now: number): boolean {
    return this.#rate.isFull(this.#fullAt, now);
  }
}
