import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time in ms after which no further piece of work starts within the same turn of the event loop. */
const slice = 1;

/**
 * Spreads the simultaneous work of many conversations over several turns of the event loop, so that passes over
 * audio run in between. Requests are served in order. Use it on the shard's thread only.
 */
export class WorkTurns {
  readonly #waiting: (() => void)[] = [];
  #running = false;

  /** @param monotonic the thread's clock, in ms. */
  constructor(private readonly monotonic: () => number) {}

  /** Resolves when the caller may do one piece of work. The caller must start it without another `await`. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#running) return;
      this.#running = true;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const until = this.monotonic() + slice;
      while (this.#waiting.length > 0 && this.monotonic() < until) {
        this.#waiting.shift()!();
        // Lets the resolved caller run before the time is checked. Continuations run in the order in which they
        // became ready.
        await null;
      }
      if (this.#waiting.length > 0) await nextTurn();
    }
    this.#running = false;
  }
}
