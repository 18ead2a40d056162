import pTimeout from 'p-timeout';
import type { Logger } from '../log/index.js';

interface Step {
  readonly name: string;
  readonly bound: number;
  readonly close: () => Promise<void>;
}

/**
 * What was opened, closed in the opposite order, each within its bound: a part that hangs or fails costs its bound and
 * a line in the log, and the next is closed all the same.
 */
export class ClosingOrder {
  readonly #steps: Step[] = [];
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param bound ms. */
  add(name: string, bound: number, close: () => Promise<void>): void {
    this.#steps.push({ name, bound, close });
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      const { name, bound, close } = step;
      try {
        // p-timeout takes no 0.
        await pTimeout(close(), { milliseconds: bound || 1, message: `not closed after ${bound} ms` });
        this.#log.debug({ part: name }, 'closed');
      } catch (error) {
        this.#log.error({ part: name, err: error }, 'could not be closed in order');
      }
    }
  }
}
