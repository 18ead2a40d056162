/**
 * How much of something a stream may use: so much a second, and a burst beyond that. Kept as the moment at which what
 * was used would have been earned, so that taking costs a few comparisons and allocates nothing.
 */
export class Allowance {
  /** Ms that one unit takes to earn. */
  readonly #price: number;
  /** Ms of earnings that may be used before they are earned. */
  readonly #credit: number;
  #paidUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param rate units a second.
   * @param burst units that may be used at once; an amount larger than this is never granted.
   */
  constructor(rate: number, burst: number) {
    this.#price = 1000 / rate;
    this.#credit = burst * this.#price;
  }

  /**
   * Takes an amount, or nothing.
   * @param now ms of a clock that does not run backwards, except that it may wrap: a new burst is granted then.
   * @returns whether it was granted.
   */
  take(amount: number, now: number): boolean {
    const until = this.#paidAfter(amount, now);
    if (until - now > this.#credit) return false;
    this.#paidUntil = until;
    return true;
  }

  /** Whether `take` would grant this. */
  allows(amount: number, now: number): boolean {
    return this.#paidAfter(amount, now) - now <= this.#credit;
  }

  #paidAfter(amount: number, now: number): number {
    const debt = this.#paidUntil - now;
    const from = debt < 0 || debt > this.#credit ? now : this.#paidUntil;
    return from + amount * this.#price;
  }
}
