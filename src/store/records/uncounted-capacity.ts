/** Maximum number of users whose remaining quota is cached. */
const remembered = 10_000;
/**
 * Share of a user's remaining quota that this process may use before it counts again. The share is small, because
 * several processes may use it at the same time.
 */
const part = 1 / 16;
/** Number of ms after which a cached quota expires. */
const validity = 3_600_000;

interface Remaining {
  left: number;
  /** Time at which the quota expires; ms of the monotonic clock. */
  readonly until: number;
}

/**
 * Caches how many records each user can still add without a count of the user's rows. To count them, the database reads
 * every row newer than the last vacuum, which takes 1 µs per row. For several hundred rows, counting takes longer than
 * inserting a record.
 *
 * Each process uses at most a sixteenth of the quota that was left at its last count, so up to fifteen processes
 * together stay within the limit. A cached quota is valid for an hour. If other processes or batch requests use up the
 * quota within this hour, the process can exceed the limit by its sixteenth. A full cache evicts the user whose count
 * is oldest.
 */
export class UncountedCapacity {
  readonly #now: () => number;
  readonly #users = new Map<string, Remaining>();

  /** @param most maximum number of records of a user. @param now ms of a monotonic clock. */
  constructor(
    /** Maximum number of records of a user. */
    readonly most: number,
    now = () => performance.now(),
  ) {
    this.#now = now;
  }

  /** Uses the quota of one record. @returns false when no cached quota is left; the caller must then count the records */
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

  /** Stores a new quota after the caller has counted a user's records. */
  counted(uid: string, records: number): void {
    this.#users.delete(uid);
    const left = Math.floor((this.most - records) * part);
    if (left < 1) return;
    this.#users.set(uid, { left, until: this.#now() + validity });
    if (this.#users.size > remembered) this.#users.delete(this.#users.keys().next().value!);
  }
}
