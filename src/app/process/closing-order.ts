import pTimeout from 'p-timeout';
import type { Logger } from '../../log/index.js';

/** Number of ms that idle workers and connections may take to close. */
export const leaveTimeout = 5000;

interface Step {
  readonly bound: number;
  readonly close: () => Promise<void>;
}

/**
 * Closes the parts of a service in the order of a list, each within a time bound. If closing a part fails or takes too
 * long, a line is logged, and the next part is closed. Parts may be added in any order. Parts that were never added are
 * skipped.
 */
export class ClosingOrder<Part extends string> {
  readonly #steps = new Map<Part, Step>();

  constructor(
    private readonly order: readonly Part[],
    private readonly log: Logger,
  ) {}

  /** Adds the function that closes a part. @param bound maximum ms that closing may take */
  add(part: Part, bound: number, close: () => Promise<void>): void {
    this.#steps.set(part, { bound, close });
  }

  /** Closes the parts. A second call closes no part again. */
  async run(): Promise<void> {
    for (const part of this.order) {
      const step = this.#steps.get(part);
      this.#steps.delete(part);
      if (step !== undefined) await this.#close(part, step);
    }
  }

  async #close(part: Part, { bound, close }: Step): Promise<void> {
    try {
      // p-timeout does not accept 0.
      await pTimeout(close(), { milliseconds: bound || 1, message: `not closed after ${bound} ms` });
      this.log.debug({ part }, 'closed');
    } catch (error) {
      this.log.error({ part, err: error }, 'could not be closed in order');
    }
  }
}
