import { extendRetained } from '../../store/conversations/index.js';
import { type Queue, type RetainedJob, singletonSeconds } from '../turns/index.js';
import { Signal } from '../work/index.js';
import { attemptPause, lookForRetained, type RetainedContext, takeRetained } from './retained.js';

/** Maximum number of jobs of retained audio that wait in the queue. The queue knows no users, so one user's audio must not fill it. */
const mostWaiting = 16;

/** Queues retained audio, users in turn, and only as much as begins soon. */
export class RetainedTurns {
  readonly #more = new Signal();
  /** Audio that this process queued and no worker has begun: queue time (ms) by key. */
  readonly #waiting = new Map<string, number>();

  constructor(private readonly context: RetainedContext) {
    context.signal.addEventListener('abort', () => this.#more.wake());
  }

  /**
   * Looks for audio until the signal of the context aborts. Engines write audio without a notification. Never rejects.
   * @param interval ms between two looks.
   * @param added called after jobs were queued.
   */
  async watch(jobs: Queue, interval: number, added: () => void): Promise<void> {
    const { log, signal } = this.context;
    let lookedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        // A timer may fire slightly early.
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

  /** Call when a job begins. Once half of the waiting jobs have begun, there is space for more. */
  begun({ key }: RetainedJob): void {
    if (this.#waiting.delete(key) && this.#waiting.size === mostWaiting / 2) this.#more.wake();
  }

  /** Postpones refused jobs. An operator's immediate retry is refused if the file had a job within the last seconds. */
  async #putBack(refused: readonly RetainedJob[]): Promise<void> {
    for (const { key } of refused) {
      this.#waiting.delete(key);
      await extendRetained(this.context.sql, key, singletonSeconds);
    }
  }

  #space(): number {
    const lost = performance.now() - attemptPause * 1000;
    // Another process may have done these jobs. Lost audio is due again by now.
    for (const [key, at] of this.#waiting) if (at < lost) this.#waiting.delete(key);
    return mostWaiting - this.#waiting.size;
  }
}
