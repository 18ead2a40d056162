/** Users that are remembered. */
const remembered = 10_000;
/** Part of what is left that is given away before a user's records are counted again: so many processes may do it at once. */
const part = 1 / 16;
/** Ms after which they are counted again in any case. */
const validity = 3_600_000;

interface Remaining {
  left: number;
  /** Ms of the monotonic clock. */
  readonly until: number;
}

/**
 * How many records each user can have more of, as far as they need not be counted for. To count is to read each record's row that is newer than
 * the last vacuum: 1 µs of the database's processor time each, which with some hundred was more than the rest of a new record.
 *
 * Each process gives away a sixteenth of what was left when it counted, so that up to fifteen of them do not pass the limit together. It is passed,
 * by that sixteenth at most, where records that are counted (batches, other processes) use up within the hour what one process has not
 * given away yet. The user that was counted first is forgotten first.
 */
export class UncountedCapacity {
  /** Records of a user. */
  readonly most: number;
  readonly #now: () => number;
  readonly #users = new Map<string, Remaining>();

  /**
   * @param most records of a user.
   * @param now ms of a monotonic clock.
   */
  constructor(most: number, now = () => performance.now()) {
    this.most = most;
    this.#now = now;
  }

  /** Takes the place of one record. @returns whether there is capacity; if not, the records have to be counted. */
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

  /** Tells how many records a user has. */
  counted(uid: string, records: number): void {
    this.#users.delete(uid);
    const left = Math.floor((this.most - records) * part);
    if (left < 1) return;
    this.#users.set(uid, { left, until: this.#now() + validity });
    if (this.#users.size > remembered) this.#users.delete(this.#users.keys().next().value!);
  }
}
