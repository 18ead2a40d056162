import { LongTime } from './long-time.js';

/** How many pieces of work run at once. */
export interface UserTurnsBounds {
  /** Of all users. */
  readonly most: number;
  /** Of one user. */
  readonly mostOfUser: number;
  /** Places that only users without running work may take. None when absent. */
  readonly kept?: number;
  /** Places that users who lately had long work share, and the ms of work that is not long. All are alike when absent. */
  readonly long?: { readonly most: number; readonly ordinary: number };
}

interface UserWork {
  /** When the work that runs began, ms of the clock, in its order. */
  readonly began: number[];
  /** Begins of the work that waits, in its order. */
  readonly waiting: (() => void)[];
}

/**
 * Shares a bounded number of places among users: turns go round the users that wait, and one user never has more than its share of the
 * places. The caller bounds how much may wait.
 */
export class UserTurns {
  readonly #bounds: UserTurnsBounds;
  readonly #now: () => number;
  readonly #long: LongTime | undefined;
  #running = 0;
  /** Users with work, in the order of their next turns; one that comes, or has had a turn, is the last. */
  readonly #users = new Map<string, UserWork>();
  /** Those of them whose work runs: they are few, however many wait. */
  readonly #working = new Map<string, UserWork>();

  /** @param now ms of a clock that never goes back. */
  constructor(bounds: UserTurnsBounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#now = now;
    this.#long = bounds.long && new LongTime(bounds.long.ordinary);
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
    this.#running--;
    // Which piece of the user's work has ended makes no difference to the sum of its times.
    const began = user.began.shift()!;
    if (user.began.length === 0) this.#working.delete(uid);
    this.#long?.add(uid, began, this.#now());
    this.#forgetIdle(uid, user);
    this.#next();
  }

  /** Begins the turn of a user where there is a place. None of the work that waits could use it: it would have been given to that one. */
  #beginNow(uid: string): boolean {
    const user = this.#users.get(uid) ?? { began: [], waiting: [] };
    if (!this.#hasPlace(uid, user)) return false;
    this.#started(uid, user);
    return true;
  }

  #hasPlace(uid: string, { began }: UserWork): boolean {
    const running = began.length;
    const { most, mostOfUser, kept = 0, long } = this.#bounds;
    if (running >= mostOfUser || this.#running >= (running === 0 ? most : most - kept)) return false;
    return long === undefined || !this.#isLong(uid) || this.#longWork() < long.most;
  }

  #isLong(uid: string): boolean {
    const now = this.#now();
    const began = this.#users.get(uid)?.began ?? [];
    const underWay = began.reduce((sum, at) => sum + this.#long!.excess(at, now), 0);
    return this.#long!.isLong(uid, underWay, now);
  }

  /** Work of users with long work that runs. */
  #longWork(): number {
    let sum = 0;
    for (const [uid, { began }] of this.#working) if (this.#isLong(uid)) sum += began.length;
    return sum;
  }

  #wait(uid: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const user = this.#users.get(uid) ?? { began: [], waiting: [] };
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
    user.began.push(this.#now());
    this.#running++;
    this.#users.delete(uid);
    this.#users.set(uid, user);
    this.#working.set(uid, user);
  }

  #forgetIdle(uid: string, user: UserWork): void {
    if (user.began.length === 0 && user.waiting.length === 0) this.#users.delete(uid);
  }

  #next(): void {
    while (this.#running < this.#bounds.most && this.#beginWaiting());
  }

  /** @returns whether work that waited has begun. */
  #beginWaiting(): boolean {
    for (const [uid, user] of this.#users) {
      if (user.waiting.length === 0 || !this.#hasPlace(uid, user)) continue;
      this.#started(uid, user);
      user.waiting.shift()!();
      return true;
    }
    return false;
  }
}
