import { extendRetained } from '../../store/conversations/index.js';
import { type Queue, type RetainedJob, singletonSeconds } from '../turns/index.js';
import { Signal } from '../work/index.js';
import { attemptPause, lookForRetained, type RetainedContext, takeRetained } from './retained.js';

/** Jobs of retained audio that wait in the queue at most: it knows no users, so what one of them has must not fill it. */
const mostWaiting = 16;

/** Puts retained audio into the queue, users in turn, and only as much as is soon begun. */
export class RetainedTurns {
  readonly #context: RetainedContext;
  readonly #more = new Signal();
  /** What this process has put into the queue and nothing has begun: when it was put there (ms), by key. */
  readonly #waiting = new Map<string, number>();

  constructor(context: RetainedContext) {
    this.#context = context;
    context.signal.addEventListener('abort', () => this.#more.wake());
  }

  /**
   * Looks for audio, which engines write without telling, until the signal of the context aborts. Never rejects.
   * @param interval ms between two looks.
   * @param added called when something was put into the queue.
   */
  async watch(jobs: Queue, interval: number, added: () => void): Promise<void> {
    const { log, signal } = this.#context;
    let lookedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        // A timer may be a moment early.
        const looks = performance.now() - lookedAt >= interval * 0.95;
        if (looks) lookedAt = performance.now();
        const due = await (looks ? lookForRetained : takeRetained)(this.#context, this.#space());
        for (const { key } of due) this.#waiting.set(key, performance.now());
        await this.#putBack(await jobs.send('retained', due));
        if (due.length > 0) added();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'retained audio cannot be looked for');
      }
      if (!signal.aborted) await this.#more.wait(interval);
    }
  }

  /** A job has been begun: when half of what waited has been, there is space for more. */
  begun({ key }: RetainedJob): void {
    if (this.#waiting.delete(key) && this.#waiting.size === mostWaiting / 2) this.#more.wake();
  }

  /** What an operator retries at once had its job seconds ago, and another one is refused for that long. */
  async #putBack(refused: readonly RetainedJob[]): Promise<void> {
    for (const { key } of refused) {
      this.#waiting.delete(key);
      await extendRetained(this.#context.sql, key, singletonSeconds);
    }
  }

  #space(): number {
    const lost = performance.now() - attemptPause * 1000;
    // Another process may have done them; what was lost is due again by now.
    for (const [key, at] of this.#waiting) if (at < lost) this.#waiting.delete(key);
    return mostWaiting - this.#waiting.size;
  }
}
