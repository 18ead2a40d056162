interface UserTurns {
  running: number;
  /** Begins of the requests that wait, in their order. */
  readonly waiting: (() => void)[];
}

/**
 * Shares the connections to the database among users, whatever number of requests each of them has: the handlers of a bounded number of
 * requests run at once, of one user about half as many, and turns go round the users that wait. One connection stays free for
 * credentials and rate limits, which are checked before.
 *
 * The number of those that wait is bounded by the front, which passes on MAX_PROXIED requests at once.
 */
export class FairTurns {
  readonly #most: number;
  readonly #mostOfUser: number;
  #running = 0;
  /** Users with requests, in the order of their next turns; one that comes, or has had a turn, is the last. */
  readonly #users = new Map<string, UserTurns>();

  /** @param connections to the database. */
  constructor(connections: number) {
    this.#most = Math.max(1, connections - 1);
    this.#mostOfUser = Math.ceil(this.#most / 2);
  }

  /**
   * Begins a turn of a user. The caller ends it, too.
   * @returns undefined where it has begun, as for most requests, which need no promise of it; else when it begins.
   */
  begin(uid: string): Promise<void> | undefined {
    return this.#beginNow(uid) ? undefined : this.#wait(uid);
  }

  /** Ends a turn of a user that has begun. */
  end(uid: string): void {
    const user = this.#users.get(uid)!;
    user.running--;
    this.#running--;
    if (user.running === 0 && user.waiting.length === 0) this.#users.delete(uid);
    this.#next();
  }

  /** Begins the turn of a user where there is a place. None of the requests that wait could use it: it would have been given to that one. */
  #beginNow(uid: string): boolean {
    if (this.#running >= this.#most) return false;
    const user = this.#users.get(uid) ?? { running: 0, waiting: [] };
    if (user.running >= this.#mostOfUser) return false;
    this.#started(uid, user);
    return true;
  }

  /** Waits for a turn that cannot begin yet. */
  #wait(uid: string): Promise<void> {
    return new Promise((begin) => {
      const user = this.#users.get(uid) ?? { running: 0, waiting: [] };
      user.waiting.push(begin);
      this.#users.set(uid, user);
    });
  }

  #started(uid: string, user: UserTurns): void {
    user.running++;
    this.#running++;
    this.#users.delete(uid);
    this.#users.set(uid, user);
  }

  #next(): void {
    if (this.#running >= this.#most) return;
    for (const [uid, user] of this.#users) {
      if (user.waiting.length === 0 || user.running >= this.#mostOfUser) continue;
      this.#started(uid, user);
      user.waiting.shift()!();
      return;
    }
  }
}
