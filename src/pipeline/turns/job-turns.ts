import { LongTime } from '../../common/index.js';
import type { Logger } from '../../log/index.js';
import type { TurnsTaken } from '../../store/jobs/index.js';
import { Signal } from '../work/index.js';
import { type JobKinds, keyOf, type Queue, retryDelay, singletonSeconds } from './queue.js';

/** The queues that this process fills. Users take turns in them. */
export type TurnsName = 'conversation' | 'step';

/** A due job that still waits in its table and is not in the queue. */
export interface DueJob<Name extends TurnsName> {
  readonly uid: string;
  readonly job: JobKinds[Name];
}

/** The selection of due jobs that are taken from a table, and their maximum number. */
export type TurnsWanted = Omit<TurnsTaken, 'pause'>;

export interface JobTurnsOptions<Name extends TurnsName> {
  readonly name: Name;
  /**
   * Maximum number of running jobs. It is also the maximum number of jobs in the queue, because every queued job runs
   * before all jobs that wait in the table.
   */
  readonly most: number;
  /** Ms that an ordinary job takes. */
  readonly ordinary: number;
  /** Takes due jobs from their table. Users take turns. Taken jobs are not due again for a while. */
  take(wanted: TurnsWanted): Promise<readonly DueJob<Name>[]>;
  /** Postpones a job in its table by a number of seconds. */
  postpone(job: JobKinds[Name], seconds: number): Promise<void>;
  readonly log: Logger;
  /** Aborting this signal ends `watch`. */
  readonly signal: AbortSignal;
  /** Returns ms of a clock that never goes back. For tests. */
  readonly now?: () => number;
}

/** Seconds after which a queued job that has not begun is queued again. */
export const turnPause = 60;

/** Maximum number of users for whom this process remembers when it last served them. */
const mostServed = 1000;
/** Number of slots that all users with long jobs share. */
const mostLong = 2;
/**
 * Maximum ms between the moment when this process takes a job from the queue and the moment when it begins the job. If
 * a job has left the queue and does not begin within this time, another process has taken it.
 */
const untilBegun = 1000;
/** Number of attempts after which the pause no longer doubles. */
const mostDoublings = 4;

/** A job that was put into the queue. */
interface PutJob {
  readonly uid: string;
  /** Time at which the job was queued, in ms of `now`. */
  readonly put: number;
  began?: number;
}

/**
 * Fills a queue of pg-boss with only as many jobs as will begin soon. Users take turns. The queue does not know which
 * user a job belongs to, so one user's waiting jobs must not fill it. Failed jobs leave the queue and wait for their
 * user's next turn.
 *
 * There are `most` slots; each queued or running job takes one. Any two users together leave at least one slot free.
 * All users with recent long jobs share two slots. A running job is never interrupted for another user.
 *
 * Waiting jobs are rows of tables, so turns survive a restart, and several sidecars share them. Each sidecar knows only
 * which users it has served itself.
 */
export class JobTurns<Name extends TurnsName> {
  readonly #more = new Signal();
  /** Users in the order in which this process last served them. The user served last is at the end. */
  readonly #served = new Set<string>();
  /** Queued and running jobs by key. */
  readonly #jobs = new Map<string, PutJob>();
  readonly #long: LongTime;
  readonly #mostOfUser: number;
  readonly #now: () => number;

  constructor(private readonly options: JobTurnsOptions<Name>) {
    this.#now = options.now ?? (() => performance.now());
    this.#long = new LongTime(options.ordinary);
    this.#mostOfUser = Math.max(1, Math.floor((options.most - 1) / 2));
    options.signal.addEventListener('abort', () => this.#more.wake());
  }

  /**
   * Looks for due jobs when woken, and at least every `interval` ms, until the signal aborts. Never rejects.
   * @param added called after jobs were queued.
   */
  async watch(jobs: Queue, interval: number, added: () => void): Promise<void> {
    const { name, log, signal } = this.options;
    while (!signal.aborted) {
      try {
        if ((await this.#fill(jobs)) > 0) added();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, queue: name }, 'jobs cannot be put into the queue');
      }
      if (!signal.aborted) await this.#more.wait(interval);
    }
  }

  /** Starts a search for due jobs. Called when there may be new jobs, or when the queue has space again. */
  wake(): void {
    this.#more.wake();
  }

  /** Records that a worker of this process has begun a job. */
  begun(job: JobKinds[Name]): void {
    const known = this.#jobs.get(keyOf[this.options.name](job));
    // A job that ran too long may have been queued again, and then begins twice. The time of its first beginning is
    // kept.
    if (known) known.began ??= this.#now();
  }

  /** Records that a worker of this process has ended a job. */
  ended(job: JobKinds[Name]): void {
    const key = keyOf[this.options.name](job);
    const known = this.#jobs.get(key);
    if (known?.began === undefined) return;
    this.#jobs.delete(key);
    this.#long.add(known.uid, known.began, this.#now());
    this.#more.wake();
  }

  /** Postpones a failed job to its next attempt. The pause doubles with each attempt. */
  async again(job: JobKinds[Name]): Promise<void> {
    const whole = retryDelay[this.options.name] * 2 ** Math.min(mostDoublings, job.attempt);
    await this.postpone(job, whole * (0.75 + Math.random() / 4));
  }

  /** Postpones a job by a number of seconds. */
  async postpone(job: JobKinds[Name], seconds: number): Promise<void> {
    await this.options.postpone(job, seconds);
    if (seconds === 0) this.#more.wake();
    else setTimeout(() => this.#more.wake(), seconds * 1000).unref();
  }

  /** Queues due jobs. @returns the number of jobs that were due. */
  async #fill(jobs: Queue): Promise<number> {
    const { name, most } = this.options;
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
    // The queue refuses a job that was queued a moment ago. Such a job is postponed.
    for (const job of refused) await this.options.postpone(job, singletonSeconds);
    return due.length;
  }

  async #take(
    without: readonly string[],
    limit: number,
    mostOfUser: number,
  ): Promise<readonly DueJob<Name>[]> {
    const { name, take } = this.options;
    const due = await take({ served: [...this.#served], limit, without, mostOfUser });
    const put = this.#now();
    for (const { uid, job } of due) {
      this.#noteServed(uid);
      const key = keyOf[name](job);
      if (this.#jobs.get(key)?.began === undefined) this.#jobs.set(key, { uid, put });
    }
    return due;
  }

  /** Removes the entries of `#jobs` whose jobs another process took. @param waiting number of jobs in the queue. */
  #forgetTaken(waiting: number): void {
    const before = this.#now() - (waiting === 0 ? untilBegun : turnPause * 1000);
    for (const [key, { put, began }] of this.#jobs) {
      if (began === undefined && put < before) this.#jobs.delete(key);
    }
  }

  /**
   * Counts the slots (queued and running jobs) by user. `full`: users who have as many slots as one user may have.
   * `long`: users with long jobs. `left`: free slots among those that the `long` users share. `spare`: number of
   * further slots that every user outside `full` can get at least.
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
