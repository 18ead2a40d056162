interface Turns {
  running: number;
  /** Begins of the work that waits, in their order. */
  readonly waiting: (() => void)[];
}

/**
 * Shares a bounded number of places among users, whatever amount of work each of them has: a user has some of the places at most, and
 * turns go round the users that wait. The caller bounds how much waits.
 */
export class UserTurns {
  readonly #most: number;
  readonly #mostOfUser: number;
  #running = 0;
  /** Users with work, in the order of their next turns; one that comes, or has had a turn, is the last. */
  readonly #users = new Map<string, Turns>();

  /**
   * @param most places.
   * @param mostOfUser places that one user may have at once.
   */
  constructor(most: number, mostOfUser: number) {
    this.#most = most;
    this.#mostOfUser = mostOfUser;
  }

  /**
   * Does some work in a turn of its user.
   * @param signal gives up the wait for the turn. The work itself has to watch it, too.
   * @throws what the work throws; the reason of the signal, where the turn has not begun.
   */
  async run<Result>(uid: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (!this.#beginNow(uid)) await this.#wait(uid, signal);
    try {
      return await work();
    } finally {
      this.end(uid);
    }
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

  /** Begins the turn of a user where there is a place. None of the work that waits could use it: it would have been given to that one. */
  #beginNow(uid: string): boolean {
    if (this.#running >= this.#most) return false;
    const user = this.#users.get(uid) ?? { running: 0, waiting: [] };
    if (user.running >= this.#mostOfUser) return false;
    this.#started(uid, user);
    return true;
  }

  /** Waits for a turn that cannot begin yet. @throws the reason of the signal */
  #wait(uid: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const user = this.#users.get(uid) ?? { running: 0, waiting: [] };
      const leave = (): void => {
        user.waiting.splice(user.waiting.indexOf(begin), 1);
        if (user.running === 0 && user.waiting.length === 0) this.#users.delete(uid);
        reject(signal!.reason as Error);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      user.waiting.push(begin);
      this.#users.set(uid, user);
    });
  }

  #started(uid: string, user: Turns): void {
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
