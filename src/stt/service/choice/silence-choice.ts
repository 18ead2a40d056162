import { Overload } from './overload.js';

/** Time in ms after which a wait has only a third (1/e) of its weight in the mean wait. */
const memory = 2000;

/**
 * Decides which silence ends utterances: the long one (`VAD_LONG_SILENCE`) while the mean wait of the queue is short.
 * The mean is used instead of single waits, because several utterances often end at the same time even if few people
 * speak.
 */
export class SilenceChoice {
  readonly #queue: Overload;
  #mean = 0;
  #at: number;

  /** @param now returns the current time, monotonic ms. */
  constructor(private readonly now: () => number) {
    this.#queue = new Overload(now);
    this.#at = now();
  }

  /**
   * Takes the present wait in ms. Call it several times a second, because each wait counts for all the time since the
   * previous call.
   * @returns whether the long silence ends utterances.
   */
  isLong(wait: number): boolean {
    const now = this.now();
    this.#mean += (wait - this.#mean) * (1 - Math.exp((this.#at - now) / memory));
    this.#at = now;
    return !this.#queue.watch(this.#mean);
  }
}
