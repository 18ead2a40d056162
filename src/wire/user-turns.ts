/** How many pieces of work run at once. */
export interface UserTurnsBounds {
  /** Of all users. */
  readonly most: number;
  /** Of one user. */
  readonly mostOfUser: number;
}

interface UserWork {
  running: number;
  /** Begins of the work that waits, in its order. */
  readonly waiting: (() => void)[];
}

/**
 * Shares a bounded number of places among users: turns go round the users that wait, and one user never has more than its share of the
 * places. The caller bounds how much may wait.
 */
export class UserTurns {
  readonly #bounds: UserTurnsBounds;
  #running = 0;
  /** Users with work, in the order of their next turns; one that comes, or has had a turn, is the last. */
  readonly #users = new Map<string, UserWork>();

  constructor(bounds: UserTurnsBounds) {
    this.#bounds = bounds;
  }

  /**
   * Does some work in a turn of its user.
   * @param signal gives up the wait for the turn. The work itself has to watch it, too.
   * @throws what the work throws; the reason of the signal, where the turn has not begun.
   */
  async run<Result>(uid: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    await this.begin(uid, signal);
    try {
      return await work();
    } finally {
      this.end(uid);
    }
  }

  /**
   * Begins a turn of a user. The caller ends it, too.
   * @param signal gives up a turn that has not begun.
   * @returns undefined where it has begun, as it mostly has, so that no promise is made; else resolves when it begins, and rejects with
   *   the reason of the signal when that comes first.
   */
  begin(uid: string, signal?: AbortSignal): Promise<void> | undefined {
    return this.#beginNow(uid) ? undefined : this.#wait(uid, signal);
  }

  /** Ends a turn of a user that has begun. */
  end(uid: string): void {
    const user = this.#users.get(uid)!;
    user.running--;
    this.#running--;
    this.#forgetIdle(uid, user);
    this.#next();
  }

  /** Begins the turn of a user where there is a place. None of the work that waits could use it: it would have been given to that one. */
  #beginNow(uid: string): boolean {
    if (this.#running >= this.#bounds.most) return false;
    const user = this.#users.get(uid) ?? { running: 0, waiting: [] };
    if (user.running >= this.#bounds.mostOfUser) return false;
    this.#started(uid, user);
    return true;
  }

  #wait(uid: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const user = this.#users.get(uid) ?? { running: 0, waiting: [] };
      const leave = (): void => {
        user.waiting.splice(user.waiting.indexOf(begin), 1);
        this.#forgetIdle(uid, user);
        reject(signal!.reason);
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

  #started(uid: string, user: UserWork): void {
    user.running++;
    this.#running++;
    this.#users.delete(uid);
    this.#users.set(uid, user);
  }

  #forgetIdle(uid: string, user: UserWork): void {
    if (user.running === 0 && user.waiting.length === 0) this.#users.delete(uid);
  }

  #next(): void {
    if (this.#running >= this.#bounds.most) return;
    for (const [uid, user] of this.#users) {
      if (user.waiting.length === 0 || user.running >= this.#bounds.mostOfUser) continue;
      this.#started(uid, user);
      user.waiting.shift()!();
      return;
    }
  }
}
