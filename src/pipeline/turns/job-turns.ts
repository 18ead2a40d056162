import { LongTime } from '../../common/index.js';
import type { Logger } from '../../log/index.js';
import type { TurnsTaken } from '../../store/jobs/index.js';
import { Signal } from '../work/index.js';
import { type JobKinds, keyOf, type Queue, retryDelay, singletonSeconds } from './queue.js';

/** The queues into which users put jobs in turn here. */
export type TurnsName = 'conversation' | 'step';

/** A job that waits outside the queue. */
export interface DueJob<Name extends TurnsName> {
  readonly uid: string;
  readonly job: JobKinds[Name];
}

/** Which jobs are taken from a table. */
export type TurnsWanted = Omit<TurnsTaken, 'pause'>;

export interface JobTurnsOptions<Name extends TurnsName> {
  readonly name: Name;
  /** Jobs that run at once, and jobs in the queue at most: what stands in it comes before every other user. */
  readonly most: number;
  /** Ms of an ordinary job. */
  readonly ordinary: number;
  /** Takes due jobs from the table that holds them, users in turn, and keeps them from being taken again for a while. */
  take(wanted: TurnsWanted): Promise<readonly DueJob<Name>[]>;
  /** Has a job wait in its table for so many seconds. */
  postpone(job: JobKinds[Name], seconds: number): Promise<void>;
  readonly log: Logger;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Ms of a clock that never goes back. For tests. */
  readonly now?: () => number;
}

/** Seconds after which a job that was put into the queue and was not begun is put there again. */
export const turnPause = 60;

/** Users whose turns are remembered. */
const mostServed = 1000;
/** Places that all users with long jobs have together. */
const mostLong = 2;
/** Ms after which a job that was put into the queue begins here, once it has left the queue; another process has taken it else. */
const untilBegun = 1000;
/** Attempts after which the pause before the next one grows no more. */
const mostDoublings = 4;

/** A job that was put into the queue. */
interface PutJob {
  readonly uid: string;
  /** Ms of the clock. */
  readonly put: number;
  began?: number;
}

/**
 * Puts jobs into a queue of pg-boss, users in turn, and only as many as are soon begun: pg-boss knows no users, so what one of them has
 * waiting must not fill it. Failed jobs leave the queue, too, and wait for the next turn of their user.
 *
 * Two users together leave a place to others, and users who lately had long jobs share two places: a job that has begun is not broken off
 * for that of another user.
 *
 * The jobs that wait stand in tables, so turns go on after a restart, and several sidecars share them. Which user had a turn last is
 * known to each sidecar for itself.
 */
export class JobTurns<Name extends TurnsName> {
  readonly #options: JobTurnsOptions<Name>;
  readonly #more = new Signal();
  /** The user who had a turn last is the last. */
  readonly #served = new Set<string>();
  /** Jobs in the queue and those that run, by their keys. */
  readonly #jobs = new Map<string, PutJob>();
  readonly #long: LongTime;
  readonly #mostOfUser: number;
  readonly #now: () => number;

  constructor(options: JobTurnsOptions<Name>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#long = new LongTime(options.ordinary);
    this.#mostOfUser = Math.max(1, Math.floor((options.most - 1) / 2));
    options.signal.addEventListener('abort', () => this.#more.wake());
  }

  /**
   * Looks for due jobs whenever it is woken, and at least every `interval` ms, until the signal aborts. Never rejects.
   * @param added called when something was put into the queue.
   */
  async watch(jobs: Queue, interval: number, added: () => void): Promise<void> {
    const { name, log, signal } = this.#options;
    while (!signal.aborted) {
      try {
        if ((await this.#fill(jobs)) > 0) added();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, queue: name }, 'jobs cannot be put into the queue');
      }
      if (!signal.aborted) await this.#more.wait(interval);
    }
  }

  /** There may be more jobs, or more space in the queue. */
  wake(): void {
    this.#more.wake();
  }

  /** A worker here has begun a job. */
  begun(job: JobKinds[Name]): void {
    const known = this.#jobs.get(keyOf[this.#options.name](job));
    // One that ran too long may have been put into the queue again.
    if (known) known.began ??= this.#now();
  }

  /** A worker here is done with a job. */
  ended(job: JobKinds[Name]): void {
    const key = keyOf[this.#options.name](job);
    const known = this.#jobs.get(key);
    if (known?.began === undefined) return;
    this.#jobs.delete(key);
    this.#long.add(known.uid, known.began, this.#now());
    this.#more.wake();
  }

  /** Has a job that failed wait for its next attempt, with pauses that double. */
  async again(job: JobKinds[Name]): Promise<void> {
    const whole = retryDelay[this.#options.name] * 2 ** Math.min(mostDoublings, job.attempt);
    await this.postpone(job, whole * (0.75 + Math.random() / 4));
  }

  /** Has a job wait for so many seconds. */
  async postpone(job: JobKinds[Name], seconds: number): Promise<void> {
    await this.#options.postpone(job, seconds);
    if (seconds === 0) this.#more.wake();
    else setTimeout(() => this.#more.wake(), seconds * 1000).unref();
  }

  /** @returns how many jobs were due. */
  async #fill(jobs: Queue): Promise<number> {
    const { name, most } = this.#options;
    const waiting = await jobs.waiting(name);
    const space = most - waiting;
    if (space <= 0) return 0;
    this.#forgetTaken(waiting);
    const due: DueJob<Name>[] = [];
    for (let spare = 0; spare < this.#mostOfUser && due.length < space; ) {
      const shares = this.#shares();
      spare = shares.spare;
      const more = await this.#take([...shares.full, ...shares.long], space - due.length, spare);
      if (more.length === 0) break;
      due.push(...more);
    }
    const { full, long, left } = this.#shares();
    const more = Math.min(left, space - due.length);
    if (long.size > 0 && more > 0) due.push(...(await this.#take([...full], more, 1)));
    if (due.length === 0) return 0;
    const refused = await jobs.send(
      name,
      due.map(({ job }) => job),
    );
    // Its like was in the queue a moment ago.
    for (const job of refused) await this.#options.postpone(job, singletonSeconds);
    return due.length;
  }

  async #take(
    without: readonly string[],
    limit: number,
    mostOfUser: number,
  ): Promise<readonly DueJob<Name>[]> {
    const { name, take } = this.#options;
    const due = await take({ served: [...this.#served], limit, without, mostOfUser });
    const put = this.#now();
    for (const { uid, job } of due) {
      this.#noteServed(uid);
      const key = keyOf[name](job);
      if (this.#jobs.get(key)?.began === undefined) this.#jobs.set(key, { uid, put });
    }
    return due;
  }

  /** Forgets jobs that another process has taken. @param waiting jobs in the queue. */
  #forgetTaken(waiting: number): void {
    const before = this.#now() - (waiting === 0 ? untilBegun : turnPause * 1000);
    for (const [key, { put, began }] of this.#jobs) {
      if (began === undefined && put < before) this.#jobs.delete(key);
    }
  }

  /**
   * Users who have all places that one user may have, users with long jobs, places that are left to these, and places that each user who
   * is not full may still get.
   */
  #shares(): {
    readonly full: ReadonlySet<string>;
    readonly long: ReadonlySet<string>;
    readonly left: number;
    readonly spare: number;
  } {
    const now = this.#now();
    const counts = new Map<string, { places: number; excess: number }>();
    for (const { uid, began } of this.#jobs.values()) {
      const count = counts.get(uid) ?? { places: 0, excess: 0 };
      count.places++;
      if (began !== undefined) count.excess += this.#long.excess(began, now);
      counts.set(uid, count);
    }
    const full = new Set<string>();
    const long = new Set(this.#long.names(now));
    let spare = this.#mostOfUser;
    for (const [uid, { places, excess }] of counts) {
      if (places >= this.#mostOfUser) full.add(uid);
      else spare = Math.min(spare, this.#mostOfUser - places);
      if (this.#long.isLong(uid, excess, now)) long.add(uid);
    }
    let left = mostLong;
    for (const uid of long) left -= counts.get(uid)?.places ?? 0;
    return { full, long, left, spare };
  }

  #noteServed(uid: string): void {
    this.#served.delete(uid);
    this.#served.add(uid);
    if (this.#served.size > mostServed) this.#served.delete(this.#served.values().next().value!);
  }
}
