import { setImmediate as nextTurn } from 'node:timers/promises';

/** Ms of such work in one turn of the event loop, beside the last piece. */
const slice = 1;

/**
 * Spreads over turns of the event loop what many conversations of a shard have to do at the same moment, so that passes over
 * audio come in between. In the order in which it was asked for. On the shard's thread only.
 */
export class WorkTurns {
  readonly #monotonic: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = false;

  /** @param monotonic the thread's clock, in ms. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Resolves when the caller may do one piece of work, which has to follow without another wait. */
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
      const until = this.#monotonic() + slice;
      while (this.#waiting.length > 0 && this.#monotonic() < until) {
        this.#waiting.shift()!();
        // What was just resolved runs first: continuations run in the order in which they became ready.
        await null;
      }
      if (this.#waiting.length > 0) await nextTurn();
    }
    this.#running = false;
  }
}
