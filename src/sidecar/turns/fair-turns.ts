import { availableParallelism } from 'node:os';
import { LongTime } from '../../common/index.js';

/** A running turn. */
export interface Turn {
  readonly uid: string;
  readonly operation: string;
  /** When the turn began, in ms of `now`. */
  readonly began: number;
}

/** The running turns of a user or an operation. */
type Running = Set<Turn>;

/** Maximum ms of a user's pause between two parts of a long answer (`duringPart`). */
const mostPause = 100;

type Begin = (turn: Turn) => void;

/** Waiting requests of one user and operation, oldest first. */
interface Waiting {
  readonly operation: string;
  /** Whether these requests read parts of long answers. */
  readonly isPart: boolean;
  readonly begins: Begin[];
}

const nothingRuns: Running = new Set();

const add = (running: Map<string, Running>, name: string, turn: Turn): void => {
  const turns = running.get(name);
  if (turns === undefined) running.set(name, new Set([turn]));
  else turns.add(turn);
};

const remove = (running: Map<string, Running>, name: string, turn: Turn): void => {
  const turns = running.get(name)!;
  turns.delete(turn);
  if (turns.size === 0) running.delete(name);
};

/**
 * Shares the database connections among users, regardless of how many requests each user sends. A limited
 * number of handlers run at once, and waiting users take turns. One connection stays free, for checking
 * credentials and rate limits before a turn. A turn uses one connection, and its statements run one after the
 * other.
 *
 * - If there are at least three turns, two users together cannot occupy all of them.
 * - Users with recent long turns share a third of the turns. Operations with recent long turns also share a
 *   third. This limits their load on the database and on this thread.
 * - No operation gets all turns.
 * - Waiting users without long turns come before users with long turns.
 * - Only a few parts of long answers are read at once, because each makes the database work for many ms.
 *
 * The front limits the number of waiting requests, because it passes on at most MAX_PROXIED requests at once.
 */
export class FairTurns {
  readonly #most: number;
  readonly #mostOfUser: number;
  readonly #kept: number;
  readonly #longUsers = new LongTime();
  readonly #longOperations = new LongTime();
  readonly #users = new Map<string, Running>();
  readonly #operations = new Map<string, Running>();
  #running = 0;
  /** Waiting requests by user and operation. Users and operations are in the order of their next turns. */
  readonly #waiting = new Map<string, Map<string, Waiting>>();
  /** Users for whom a part of a long answer is being read, or for whom the pause after such a read has not ended. */
  readonly #parts = new Set<string>();

  /**
   * @param connections number of database connections.
   * @param now ms of a clock that never goes back.
   * @param mostParts maximum number of parts of long answers that are read at once.
   */
  constructor(
    connections: number,
    private readonly now: () => number = () => performance.now(),
    private readonly mostParts = Math.max(1, Math.floor(availableParallelism() / 2)),
  ) {
    this.#most = Math.max(1, connections - 1);
    this.#mostOfUser = Math.max(1, Math.floor((this.#most - 1) / 2));
    this.#kept = this.#most === 1 ? 0 : Math.max(1, Math.floor(this.#most / 3));
  }

  /**
   * Begins a turn of a user. The caller must end it.
   * @param operation the operation of the request.
   * @returns the turn if it begins immediately, else a promise of it. Most turns begin immediately, and returning no promise is faster.
   */
  begin(uid: string, operation: string): Turn | Promise<Turn> {
    const now = this.now();
    if (this.#mayBegin(uid, operation, now)) return this.#start(uid, operation, now);
    return new Promise((begin) => this.#wait(uid, operation, false, begin));
  }

  /**
   * Does work during a turn of a user.
   * @throws errors of the work.
   */
  async during<Result>(uid: string, operation: string, work: () => Promise<Result>): Promise<Result> {
    const turn = await this.begin(uid, operation);
    try {
      return await work();
    } finally {
      this.end(turn);
    }
  }

  /**
   * Reads a part of a long answer during a turn of its user. The first part of an answer is read with `during` instead.
   *
   * There are `mostParts` slots for such reads. After its read, a user keeps the slot for as long as the read took, but
   * at most for `mostPause` ms. So the reads of one slot load a core at most half of the time, unless they take longer
   * than `mostPause`. A read that waits for its turn occupies no slot.
   * @param signal ends the wait for the turn.
   * @throws errors of the work; the reason of the signal.
   */
  async duringPart<Result>(
    uid: string,
    operation: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const turn = await this.#beginPart(uid, operation, signal);
    try {
      return await work();
    } finally {
      this.end(turn);
      const pause = Math.min(mostPause, this.now() - turn.began);
      setTimeout(() => {
        this.#parts.delete(uid);
        this.#beginWaiting(this.now());
      }, pause);
    }
  }

  /** Ends a running turn. */
  end(turn: Turn): void {
    const { uid, operation, began } = turn;
    const now = this.now();
    remove(this.#users, uid, turn);
    remove(this.#operations, operation, turn);
    this.#running--;
    this.#longUsers.add(uid, began, now);
    this.#longOperations.add(operation, began, now);
    this.#beginWaiting(now);
  }

  #beginPart(uid: string, operation: string, signal?: AbortSignal): Turn | Promise<Turn> {
    signal?.throwIfAborted();
    const now = this.now();
    if (this.#mayBegin(uid, operation, now, true)) return this.#start(uid, operation, now, true);
    return new Promise((resolve, reject) => {
      const begin = (turn: Turn): void => {
        signal?.removeEventListener('abort', leave);
        resolve(turn);
      };
      const leave = (): void => {
        this.#leave(uid, begin);
        reject(signal!.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#wait(uid, operation, true, begin);
    });
  }

  #wait(uid: string, operation: string, isPart: boolean, begin: Begin): void {
    const own = this.#waiting.get(uid) ?? new Map<string, Waiting>();
    this.#waiting.set(uid, own);
    const name = isPart ? `${operation} in parts` : operation;
    const waiting = own.get(name);
    if (waiting === undefined) own.set(name, { operation, isPart, begins: [begin] });
    else waiting.begins.push(begin);
  }

  /** Removes a waiting request. */
  #leave(uid: string, begin: Begin): void {
    const own = this.#waiting.get(uid)!;
    for (const [name, { begins }] of own) {
      const index = begins.indexOf(begin);
      if (index >= 0) begins.splice(index, 1);
      if (begins.length === 0) own.delete(name);
    }
    if (own.size === 0) this.#waiting.delete(uid);
  }

  #mayBegin(uid: string, operation: string, now: number, isPart = false): boolean {
    if (this.#running >= this.#most) return false;
    if (isPart && (this.#parts.size >= this.mostParts || this.#parts.has(uid))) return false;
    const operations = this.#operations.get(operation) ?? nothingRuns;
    if (operations.size >= this.#most - this.#kept) return false;
    if ((this.#users.get(uid) ?? nothingRuns).size >= this.#mostOfUser) return false;
    const third = Math.max(1, this.#kept);
    if (this.#isLongUser(uid, now) && this.#longTurns(this.#longUsers, this.#users, now) >= third)
      return false;
    return (
      !this.#isLong(this.#longOperations, operation, operations, now) ||
      this.#longTurns(this.#longOperations, this.#operations, now) < third
    );
  }

  /**
   * Returns how many turns are running for users with recent long turns. If `times` is about operations, returns how
   * many are running for such operations.
   */
  #longTurns(times: LongTime, running: ReadonlyMap<string, Running>, now: number): number {
    let sum = 0;
    for (const [name, turns] of running) if (this.#isLong(times, name, turns, now)) sum += turns.size;
    return sum;
  }

  #isLongUser(uid: string, now: number): boolean {
    return this.#isLong(this.#longUsers, uid, this.#users.get(uid) ?? nothingRuns, now);
  }

  #isLong(times: LongTime, name: string, running: Running, now: number): boolean {
    let underWay = 0;
    for (const { began } of running) underWay += times.excess(began, now);
    return times.isLong(name, underWay, now);
  }

  #start(uid: string, operation: string, now: number, isPart = false): Turn {
    if (isPart) this.#parts.add(uid);
    const turn = { uid, operation, began: now };
    add(this.#users, uid, turn);
    add(this.#operations, operation, turn);
    this.#running++;
    return turn;
  }

  #beginWaiting(now: number): void {
    while (this.#running < this.#most && this.#beginNext(now));
  }

  /**
   * Begins a waiting request if any may begin. @returns whether a request has begun.
   */
  #beginNext(now: number): boolean {
    const late: string[] = [];
    for (const uid of this.#waiting.keys()) {
      if (this.#isLongUser(uid, now)) late.push(uid);
      else if (this.#beginOf(uid, now)) return true;
    }
    return late.some((uid) => this.#beginOf(uid, now));
  }

  /**
   * Begins a request of a waiting user. The user then becomes last among waiting users, and the operation last among the user's operations.
   */
  #beginOf(uid: string, now: number): boolean {
    const own = this.#waiting.get(uid)!;
    for (const [name, waiting] of own) {
      const { operation, isPart, begins } = waiting;
      if (!this.#mayBegin(uid, operation, now, isPart)) continue;
      const begin = begins.shift()!;
      own.delete(name);
      if (begins.length > 0) own.set(name, waiting);
      this.#waiting.delete(uid);
      if (own.size > 0) this.#waiting.set(uid, own);
      begin(this.#start(uid, operation, now, isPart));
      return true;
    }
    return false;
  }
}
