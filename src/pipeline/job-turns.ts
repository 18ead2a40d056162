import type { Logger } from '../log/index.js';
import { type JobKinds, type Queue, retryDelay, singletonSeconds } from './queue.js';
import { Signal } from './signal.js';

/** The queues into which users put jobs in turn here. */
export type TurnsName = 'conversation' | 'step';

/** A job that waits outside the queue. */
export interface DueJob<Name extends TurnsName> {
  readonly uid: string;
  readonly job: JobKinds[Name];
}

export interface JobTurnsOptions<Name extends TurnsName> {
  readonly name: Name;
  /** Jobs in the queue at most: what stands in it comes before every other user. */
  readonly most: number;
  /**
   * Takes due jobs from the table that holds them, users in turn, and keeps them from being taken again for a while.
   * @param served users who had turns lately, the one of the longest ago first; all others come before them.
   */
  take(served: readonly string[], limit: number): Promise<readonly DueJob<Name>[]>;
  /** Has a job wait in its table for so many seconds. */
  postpone(job: JobKinds[Name], seconds: number): Promise<void>;
  readonly log: Logger;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** Users whose turns are remembered. */
const mostServed = 1000;
/** Attempts after which the pause before the next one grows no more. */
const mostDoublings = 4;

/**
 * Puts jobs into a queue of pg-boss, users in turn, and only as many as are soon begun: pg-boss knows no users, so what one of them has
 * waiting must not fill it. Failed jobs leave the queue, too, and wait for the next turn of their user.
 *
 * The jobs that wait stand in tables, so turns go on after a restart, and several sidecars share them. Which user had a turn last is
 * known to each sidecar for itself.
 */
export class JobTurns<Name extends TurnsName> {
  readonly #options: JobTurnsOptions<Name>;
  readonly #more = new Signal();
  /** The user who had a turn last is the last. */
  readonly #served = new Set<string>();

  constructor(options: JobTurnsOptions<Name>) {
    this.#options = options;
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
    const { name, most, take } = this.#options;
    const space = most - (await jobs.waiting(name));
    if (space <= 0) return 0;
    const due = await take([...this.#served], space);
    for (const { uid } of due) this.#noteServed(uid);
    const refused = await jobs.send(
      name,
      due.map(({ job }) => job),
    );
    // Its like was in the queue a moment ago.
    for (const job of refused) await this.#options.postpone(job, singletonSeconds);
    return due.length;
  }

  #noteServed(uid: string): void {
    this.#served.delete(uid);
    this.#served.add(uid);
    if (this.#served.size > mostServed) this.#served.delete(this.#served.values().next().value!);
  }
}
