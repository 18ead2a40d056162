import { LongTime } from './long-time.js';

/** Limits of concurrent work. */
export interface UserTurnsBounds {
  /** Limit for all users together. */
  readonly most: number;
  /** Limit for one user. */
  readonly mostOfUser: number;
  /** Number of slots that only users without running work may use. If absent, there are none. */
  readonly kept?: number;
  /**
   * Limits for users whose recent work was long. `most`: number of slots that these users share. `ordinary`: maximum ms
   * of work that is not long. If absent, all users are equal.
   */
  readonly long?: { readonly most: number; readonly ordinary: number };
  /**
   * Number of slots that are reserved for proven users. A user is proven if the last work was not long, and no running
   * work is long. The slots are reserved only while each other slot serves a different unproven user. New accounts with
   * long work therefore never take all slots, but still get turns. Needs `long`. If absent, no slots are reserved.
   */
  readonly proven?: number;
}

/** Maximum number of users that are remembered because their last work was not long. */
const mostProven = 1000;

interface UserWork {
  /** Start times of running work, in ms of the clock, ascending. */
  readonly began: number[];
  /** Functions that start the waiting work, oldest first. */
  readonly waiting: (() => void)[];
}

/**
 * Shares a bounded number of slots for concurrent work among users. Waiting users take turns, and no user has more than
 * `mostOfUser` slots. The caller must bound the amount of waiting work.
 */
export class UserTurns {
  readonly #long: LongTime | undefined;
  #running = 0;
  /**
   * Users with work, in the order of their next turns. A new user goes to the end, and so does a user whose turn
   * begins.
   */
  readonly #users = new Map<string, UserWork>();
  /** Users with running work. There are few of them, even if many users wait. */
  readonly #working = new Map<string, UserWork>();
  /** Users whose last work was not long, most recent last. */
  readonly #proven = new Set<string>();

  /** @param now ms of a monotonic clock. */
  constructor(
    private readonly bounds: UserTurnsBounds,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#long = bounds.long && new LongTime(bounds.long.ordinary);
  }

  /**
   * Runs work in a turn of its user.
   * @param signal cancels the wait for the turn. The work itself must react to the signal, too.
   * @throws the error of the work; the reason of the signal if the turn has not begun.
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
   * Begins a turn of a user. The caller must end it.
   * @param signal cancels a turn that has not begun.
   * @returns undefined if the turn has begun. This is the usual case, and it saves a promise. Otherwise returns a
   * promise that resolves when the turn begins. The promise rejects with the signal's reason if the signal aborts
   * first.
   */
  begin(uid: string, signal?: AbortSignal): Promise<void> | undefined {
    return this.#beginNow(uid) ? undefined : this.#wait(uid, signal);
  }

  /** Ends a running turn of a user. */
  end(uid: string): void {
    const user = this.#users.get(uid)!;
    this.#running--;
    // Removes the oldest start time, even if another turn has ended, because only the sum of the times matters.
    const began = user.began.shift()!;
    if (user.began.length === 0) this.#working.delete(uid);
    const now = this.now();
    this.#long?.add(uid, began, now);
    if (this.bounds.proven) this.#noteProven(uid, this.#long?.excess(began, now) === 0);
    this.#forgetIdle(uid, user);
    this.#next();
  }

  /** Begins the turn of a user if a slot is free. Waiting work cannot use that slot, or it would have started already. */
  #beginNow(uid: string): boolean {
    const user = this.#users.get(uid) ?? { began: [], waiting: [] };
    if (!this.#hasPlace(uid, user)) return false;
    this.#started(uid, user);
    return true;
  }

  #hasPlace(uid: string, { began }: UserWork): boolean {
    const running = began.length;
    const { most, mostOfUser, kept = 0, long, proven = 0 } = this.bounds;
    const left = most - (running === 0 ? 0 : kept);
    if (running >= mostOfUser || this.#running >= left) return false;
    if (this.#running >= left - proven && this.#isReserved(uid)) return false;
    return long === undefined || !this.#isLong(uid) || this.#longWork() < long.most;
  }

  /** Checks whether the free slots are reserved for proven users, so that this user gets none. */
  #isReserved(uid: string): boolean {
    const { most, proven = 0 } = this.bounds;
    if (proven === 0 || this.#isProven(uid)) return false;
    let others = 0;
    for (const working of this.#working.keys()) if (!this.#isProven(working)) others++;
    return others >= most - proven;
  }

  #isProven(uid: string): boolean {
    const [oldest] = this.#users.get(uid)?.began ?? [];
    return this.#proven.has(uid) && (oldest === undefined || this.#long!.excess(oldest, this.now()) === 0);
  }

  #noteProven(uid: string, isProven: boolean): void {
    this.#proven.delete(uid);
    if (!isProven) return;
    this.#proven.add(uid);
    if (this.#proven.size > mostProven) this.#proven.delete(this.#proven.values().next().value!);
  }

  #isLong(uid: string): boolean {
    const now = this.now();
    const began = this.#users.get(uid)?.began ?? [];
    const underWay = began.reduce((sum, at) => sum + this.#long!.excess(at, now), 0);
    return this.#long!.isLong(uid, underWay, now);
  }

  /** Returns the number of running turns of users with long work. */
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
    user.began.push(this.now());
    this.#running++;
    this.#users.delete(uid);
    this.#users.set(uid, user);
    this.#working.set(uid, user);
  }

  #forgetIdle(uid: string, user: UserWork): void {
    if (user.began.length === 0 && user.waiting.length === 0) this.#users.delete(uid);
  }

  #next(): void {
    while (this.#running < this.bounds.most && this.#beginWaiting());
  }

  /** Starts waiting work of the next user. @returns whether work was started */
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
