/** Users with remembered quotas. */
const remembered = 10_000;
/**
 * Share of a user's remaining quota that this process may use before it counts again. So several processes may do the
 * same at once.
 */
const part = 1 / 16;
/** Ms after which a remembered quota expires. */
const validity = 3_600_000;

interface Remaining {
  left: number;
  /** When the quota expires; ms of the monotonic clock. */
  readonly until: number;
}

/**
 * Quota left for each user that can be used without counting rows. Counting reads every row newer than the last vacuum.
 * That costs 1 µs of database processor time a row; with some hundred rows it exceeds the cost of a new record.
 *
 * Each process uses at most a sixteenth of the quota left at its last count, so up to fifteen processes stay within the
 * limit together. The limit can be exceeded by at most that sixteenth. This happens when batches or other processes use
 * up the quota within the hour. The cache evicts the user that was counted first.
 */
export class UncountedCapacity {
  readonly #now: () => number;
  readonly #users = new Map<string, Remaining>();

  /**
   * @param most largest number of records of a user.
   * @param now ms of a monotonic clock.
   */
  constructor(
    /** Most records of a user. */
    readonly most: number,
    now = () => performance.now(),
  ) {
    this.#now = now;
  }

  /** Uses the quota of one record. @returns false when none is left; the caller must then count the records */
  take(uid: string): boolean {
    const capacity = this.#users.get(uid);
    if (capacity === undefined) return false;
    if (capacity.left > 0 && this.#now() < capacity.until) {
      capacity.left--;
      return true;
    }
    this.#users.delete(uid);
    return false;
  }

  /** Sets the number of a user's records after a count. */
  counted(uid: string, records: number): void {
    this.#users.delete(uid);
    const left = Math.floor((this.most - records) * part);
    if (left < 1) return;
    this.#users.set(uid, { left, until: this.#now() + validity });
    if (this.#users.size > remembered) this.#users.delete(this.#users.keys().next().value!);
  }
}
