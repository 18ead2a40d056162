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

  /** Runs the work of a user when it is its turn. The turn lasts until the work has settled. */
  async run<Result>(uid: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(uid);
    try {
      return await work();
    } finally {
      this.#end(uid);
    }
  }

  #turn(uid: string): Promise<void> {
    return new Promise((begin) => {
      const user = this.#users.get(uid) ?? { running: 0, waiting: [] };
      user.waiting.push(begin);
      this.#users.set(uid, user);
      this.#next();
    });
  }

  #end(uid: string): void {
    const user = this.#users.get(uid)!;
    user.running--;
    this.#running--;
    if (user.running === 0 && user.waiting.length === 0) this.#users.delete(uid);
    this.#next();
  }

  #next(): void {
    if (this.#running >= this.#most) return;
    for (const [uid, user] of this.#users) {
      if (user.waiting.length === 0 || user.running >= this.#mostOfUser) continue;
      const begin = user.waiting.shift()!;
      user.running++;
      this.#running++;
      this.#users.delete(uid);
      this.#users.set(uid, user);
      begin();
      return;
    }
  }
}
