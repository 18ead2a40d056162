const minute = 60_000;
/** Keys remembered; the one that asked longest ago is forgotten first, and starts anew. */
const remembered = 100_000;

/**
 * So many of something a minute for each key, all of which may come at once. Bounded in memory whatever keys there are,
 * which the limiters of the package for REST are not: addresses are a stranger's to choose.
 *
 * The generic cell rate algorithm: for each key only the moment at which its allowance would be whole again. A key whose
 * moment has passed is the same as one never seen.
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
   * Takes one.
   * @returns 0, or the ms after which one will be there; nothing was taken then.
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

  /** Takes an amount even when it is not there; a key owes a minute at most. */
  charge(key: string, amount: number): void {
    const now = this.#clock();
    const wholeAt = Math.max(this.#wholeAt.get(key) ?? now, now) + amount * this.#interval;
    this.#wholeAt.delete(key);
    this.#wholeAt.set(key, Math.min(wholeAt, now + minute));
    this.#forget(now);
  }

  /** Keys stand in the order in which they took; two of those in front go with every one that comes, if they are whole. */
  #forget(now: number): void {
    let looked = 0;
    for (const [key, wholeAt] of this.#wholeAt) {
      if (++looked > 2 || (wholeAt > now && this.#wholeAt.size <= remembered)) return;
      this.#wholeAt.delete(key);
    }
  }
}
