import type { AudioBudget } from '../interface/index.js';

/**
 * Ms of audio that must be free in a budget before it accepts frames again after a refusal. If the backlog is shorter
 * than twice this value, half of the backlog suffices.
 */
const piece = 10_000;

/** Limits how much audio one stream may send. The rules are those of native/stream/budget.h. */
export class Budget {
  readonly #pace: number;
  readonly #backlog: number;
  readonly #resumeAt: number;
  /** Ms of accepted audio by which the stream was ahead of its pace, at time `#since`. */
  #ahead = 0;
  #since = 0;
  #refusing = false;

  constructor({ pace, backlog }: AudioBudget) {
    this.#pace = pace;
    this.#backlog = backlog;
    this.#resumeAt = backlog - Math.min(piece, backlog / 2);
  }

  /**
   * Decides whether to accept a frame.
   * @param duration ms of the frame.
   * @param now ms of a clock that does not run backwards.
   * @returns whether to accept the frame.
   */
  take(duration: number, now: number): boolean {
    this.#ahead = Math.max(0, this.#ahead - Math.max(0, now - this.#since) * this.#pace);
    this.#since = now;
    this.#refusing = this.#refusing ? this.#ahead > this.#resumeAt : this.#ahead + duration > this.#backlog;
    if (!this.#refusing) this.#ahead += duration;
    return !this.#refusing;
  }
}
