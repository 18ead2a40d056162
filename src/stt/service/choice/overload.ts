/** From a wait of `from` ms on, the queue counts as long. Below `until` ms it counts as short again. */
const bounds = { from: 500, until: 200 } as const;
/**
 * Durations in ms. The queue still counts as long for a time after its last long wait. This time, the relief, is
 * `first` ms at the beginning. It doubles, up to `most`, if the queue is long again within `memory` ms after it became
 * short. In that case, the additional work that a short queue allows has overloaded the machine.
 */
const relief = { first: 10_000, most: 160_000, memory: 60_000 } as const;

/** Decides by its wait whether a queue is long. The result does not change often. */
export class Overload {
  #isLong = false;
  /** Time in ms for which the queue still counts as long after its last long wait. See `relief`. */
  #relief = 0;
  /** Monotonic time (ms) until which the queue counts as long, even if its waits are short. */
  #reliefEnds = 0;
  /** Monotonic time (ms) at which the queue last became short again. */
  #shortSince = Number.NEGATIVE_INFINITY;

  /** @param now returns the current time, monotonic ms. */
  constructor(private readonly now: () => number) {}

  /** Whether the queue was long at the last call of `watch`. */
  get isLong(): boolean {
    return this.#isLong;
  }

  /** Takes the present wait in ms. @returns whether the queue is long. */
  watch(wait: number): boolean {
    const now = this.now();
    if (wait >= bounds.from) {
      if (!this.#isLong) {
        const isSoon = now - this.#shortSince < relief.memory;
        this.#relief = isSoon ? Math.min(relief.most, this.#relief * 2) : relief.first;
      }
      this.#isLong = true;
      this.#reliefEnds = now + this.#relief;
    } else if (this.#isLong && wait < bounds.until && now >= this.#reliefEnds) {
      this.#isLong = false;
      this.#shortSince = now;
    }
    return this.#isLong;
  }
}
