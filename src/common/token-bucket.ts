/** Ms by which rounding may make an amount seem dearer than it is. */
const rounding = 1e-6;
/** Ms by which the clock may run backwards. More than that, and it has wrapped. */
const backwards = 1000;

/**
 * How fast buckets fill and how much each holds. It uses the generic cell rate algorithm: all that is kept of a bucket is one
 * number, the time at which it will be full again, so that taking costs a few comparisons and allocates nothing. Times are
 * ms of any monotonic clock; it may wrap, and the bucket is full then. A bucket that was never used is full since minus infinity.
 */
export class BucketRate {
  /** Ms in which one unit is earned. */
  readonly #price: number;
  /** Ms in which an empty bucket fills. */
  readonly #capacity: number;
  /** Ms in which a bucket fills that owes as much as it may. */
  readonly #longest: number;

  /**
   * @param perSecond units that are earned in a second.
   * @param burst units that a full bucket holds; an amount larger than this is never granted.
   * @param debt units that a bucket may owe beside that, when something is charged to it.
   */
  constructor(perSecond: number, burst: number, debt = 0) {
    this.#price = 1000 / perSecond;
    this.#capacity = burst * this.#price;
    this.#longest = this.#capacity + debt * this.#price;
  }

  /** When a bucket that would be full at `fullAt` will be, once an amount is taken from it. */
  after(fullAt: number, amount: number, now: number): number {
    return (this.isFull(fullAt, now) ? now : fullAt) + amount * this.#price;
  }

  /** The same where the amount is taken whether it is there or not: the bucket owes no more than its debt. */
  afterCharge(fullAt: number, amount: number, now: number): number {
    return Math.min(this.after(fullAt, amount, now), now + this.#longest);
  }

  /** @returns ms until the amount can be taken that `after` includes; 0 when it can be now. */
  wait(after: number, now: number): number {
    const wait = after - now - this.#capacity;
    return wait > rounding ? wait : 0;
  }

  isFull(fullAt: number, now: number): boolean {
    const missing = fullAt - now;
    return missing <= 0 || missing > this.#longest + backwards;
  }
}

/** So much at once and so much a second, of whatever is counted. */
export class TokenBucket {
  readonly #rate: BucketRate;
  #fullAt = Number.NEGATIVE_INFINITY;

  /**
   * @param perSecond units that are earned in a second.
   * @param burst units that it holds; an amount larger than this is never granted.
   * @param debt units that it may owe beside that, when something is charged to it.
   */
  constructor(perSecond: number, burst: number, debt = 0) {
    this.#rate = new BucketRate(perSecond, burst, debt);
  }

  /**
   * Takes an amount, or nothing.
   * @param now ms of the bucket's clock.
   * @returns whether it was taken.
   */
  take(amount: number, now: number): boolean {
    const after = this.#rate.after(this.#fullAt, amount, now);
    if (this.#rate.wait(after, now) > 0) return false;
    this.#fullAt = after;
    return true;
  }

  /** Takes an amount that is known only after it was used: what is missing is owed, and earned before more is granted. */
  charge(amount: number, now: number): void {
    this.#fullAt = this.#rate.afterCharge(this.#fullAt, amount, now);
  }

  /** Whether `take` would take this. */
  allows(amount: number, now: number): boolean {
    return this.#rate.wait(this.#rate.after(this.#fullAt, amount, now), now) === 0;
  }

  /** Whether nothing is missing: it is the same then as a new one. */
  isFull(now: number): boolean {
    return this.#rate.isFull(this.#fullAt, now);
  }
}
