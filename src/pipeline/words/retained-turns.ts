import { extendRetained } from '../../store/conversations/index.js';
import { type Queue, type RetainedJob, singletonSeconds } from '../turns/index.js';
import { Signal } from '../work/index.js';
import { attemptPause, lookForRetained, type RetainedContext, takeRetained } from './retained.js';

/**
 * Maximum number of retained audio jobs in the queue. The queue does not know which user a job belongs to, so one
 * user's audio must not fill it.
 */
const mostWaiting = 16;

/** Puts retained audio into the queue, but only as much as will soon be transcribed. Users take turns. */
export class RetainedTurns {
  readonly #more = new Signal();
  /** Audio that this process queued and that no worker has begun. Maps keys to the queue time (ms). */
  readonly #waiting = new Map<string, number>();

  constructor(private readonly context: RetainedContext) {
    context.signal.addEventListener('abort', () => this.#more.wake());
  }

  /**
   * Looks for audio until the context's signal aborts. Engines send no notification about retained audio, so it is
   * found only by these searches. Never rejects.
   * @param interval ms between two listings of the storage.
   * @param added called after jobs were queued.
   */
  async watch(jobs: Queue, interval: number, added: () => void): Promise<void> {
    const { log, signal } = this.context;
    let lookedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        // Uses 95 % of the interval, because a timer may fire slightly early.
        const looks = performance.now() - lookedAt >= interval * 0.95;
        if (looks) lookedAt = performance.now();
        const due = await (looks ? lookForRetained : takeRetained)(this.context, this.#space());
        for (const { key } of due) this.#waiting.set(key, performance.now());
        await this.#putBack(await jobs.send('retained', due));
        if (due.length > 0) added();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the search for retained audio failed');
      }
      if (!signal.aborted) await this.#more.wait(interval);
    }
  }

  /** Records that a job has begun. When half of the waiting jobs have begun, more jobs are queued. */
  begun({ key }: RetainedJob): void {
    if (this.#waiting.delete(key) && this.#waiting.size === mostWaiting / 2) this.#more.wake();
  }

  /**
   * Postpones jobs that the queue refused. The queue refuses a job if the same file had another job within the last
   * seconds, for example when an operator repeats the job.
   */
  async #putBack(refused: readonly RetainedJob[]): Promise<void> {
    for (const { key } of refused) {
      this.#waiting.delete(key);
      await extendRetained(this.context.sql, key, singletonSeconds);
    }
  }

  #space(): number {
    const lost = performance.now() - attemptPause * 1000;
    // Forgets jobs that have waited too long. Another process has done such a job, or the job was lost. In both cases
    // this process need not count the job any more, because the audio of a lost job is due again by now.
    for (const [key, at] of this.#waiting) if (at < lost) this.#waiting.delete(key);
    return mostWaiting - this.#waiting.size;
  }
}
