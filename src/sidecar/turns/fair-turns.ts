import { LongTime } from '../../common/index.js';

/** A turn that has begun. */
export interface Turn {
  readonly uid: string;
  readonly operation: string;
  /** Ms of the clock. */
  readonly began: number;
}

/** The turns of a user or of an operation that have begun. */
type Running = Set<Turn>;

type Begin = (turn: Turn) => void;

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
 * Shares the connections to the database among users, whatever number of requests each of them has. The handlers of a bounded number of
 * requests run at once, and turns go round the users that wait. One connection stays free for credentials and rate limits, which are
 * checked before. A turn is one connection: its statements run one after the other.
 *
 * - Two users together leave a turn to others, where there are at least three turns.
 * - Users who lately had long turns share a third of the turns, and so does each operation that had: they take little time of the database
 *   and of this thread at once.
 * - No operation gets all turns.
 * - Users without long turns come first.
 *
 * The number of those that wait is bounded by the front, which passes on MAX_PROXIED requests at once.
 */
export class FairTurns {
  readonly #most: number;
  readonly #mostOfUser: number;
  readonly #kept: number;
  readonly #now: () => number;
  readonly #longUsers = new LongTime();
  readonly #longOperations = new LongTime();
  readonly #users = new Map<string, Running>();
  readonly #operations = new Map<string, Running>();
  #running = 0;
  /** Users whose requests wait, by operation, in the order of their next turns. */
  readonly #waiting = new Map<string, Map<string, Begin[]>>();

  /**
   * @param connections to the database.
   * @param now ms of a clock that never goes back.
   */
  constructor(connections: number, now: () => number = () => performance.now()) {
    this.#most = Math.max(1, connections - 1);
    this.#mostOfUser = Math.max(1, Math.floor((this.#most - 1) / 2));
    this.#kept = this.#most === 1 ? 0 : Math.max(1, Math.floor(this.#most / 3));
    this.#now = now;
  }

  /**
   * Begins a turn of a user. The caller ends it, too.
   * @param operation what the request asks for.
   * @returns the turn where it has begun, as for most requests, which need no promise of it; else when it begins.
   */
  begin(uid: string, operation: string): Turn | Promise<Turn> {
    const now = this.#now();
    if (this.#mayBegin(uid, operation, now)) return this.#start(uid, operation, now);
    return new Promise((begin) => {
      const operations = this.#waiting.get(uid) ?? new Map<string, Begin[]>();
      this.#waiting.set(uid, operations);
      const begins = operations.get(operation);
      if (begins === undefined) operations.set(operation, [begin]);
      else begins.push(begin);
    });
  }

  /**
   * Does some work in a turn of a user.
   * @throws what the work throws.
   */
  async during<Result>(uid: string, operation: string, work: () => Promise<Result>): Promise<Result> {
    const turn = await this.begin(uid, operation);
    try {
      return await work();
    } finally {
      this.end(turn);
    }
  }

  /** Ends a turn that has begun. */
  end(turn: Turn): void {
    const { uid, operation, began } = turn;
    const now = this.#now();
    remove(this.#users, uid, turn);
    remove(this.#operations, operation, turn);
    this.#running--;
    this.#longUsers.add(uid, began, now);
    this.#longOperations.add(operation, began, now);
    while (this.#running < this.#most && this.#beginNext(now));
  }

  #mayBegin(uid: string, operation: string, now: number): boolean {
    if (this.#running >= this.#most) return false;
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

  /** Turns that users, or operations, with long turns have now. */
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

  #start(uid: string, operation: string, now: number): Turn {
    const turn = { uid, operation, began: now };
    add(this.#users, uid, turn);
    add(this.#operations, operation, turn);
    this.#running++;
    return turn;
  }

  /** @returns whether a request that waited has begun. */
  #beginNext(now: number): boolean {
    const late: string[] = [];
    for (const uid of this.#waiting.keys()) {
      if (this.#isLongUser(uid, now)) late.push(uid);
      else if (this.#beginOf(uid, now)) return true;
    }
    return late.some((uid) => this.#beginOf(uid, now));
  }

  /** Begins a request of a user who waits, who is the last of those that wait then, as its operation is among the user's. */
  #beginOf(uid: string, now: number): boolean {
    const operations = this.#waiting.get(uid)!;
    for (const [operation, begins] of operations) {
      if (!this.#mayBegin(uid, operation, now)) continue;
      const begin = begins.shift()!;
      operations.delete(operation);
      if (begins.length > 0) operations.set(operation, begins);
      this.#waiting.delete(uid);
      if (operations.size > 0) this.#waiting.set(uid, operations);
      begin(this.#start(uid, operation, now));
      return true;
    }
    return false;
  }
}
