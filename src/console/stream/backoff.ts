/** Ms before the first attempt to reconnect. */
const first = 1000;
const most = 30_000;
/** If a connection lasted this many ms, the next wait is `first` again. */
const goodAfter = 60_000;

/** The waits between attempts to connect, as `docs/protocol.md` describes them ("Reconnecting"). */
export class Backoff {
  #wait = first;

  constructor(private readonly random: () => number) {}

  /**
   * Returns the ms to wait, and doubles the next wait. The returned time varies randomly between 75 and 125 % of the
   * wait.
   * @param least minimum of the wait before this variation.
   */
  next(least = 0): number {
    const wait = Math.max(this.#wait, least);
    this.#wait = Math.min(most, this.#wait * 2);
    return wait * (0.75 + this.random() / 2);
  }

  /** Makes the next wait `first` again, because the engine has confirmed audio. */
  reset(): void {
    this.#wait = first;
  }

  /** Notes the end of a connection. @param lasted its length in ms. */
  connectionEnded(lasted: number): void {
    if (lasted >= goodAfter) this.reset();
  }
}
