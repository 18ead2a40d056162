/** Ms before the first attempt to reconnect. */
const first = 1000;
const most = 30_000;
/** Length in ms of a connection after which the waits begin again with the first. */
const goodAfter = 60_000;

/** The waits between attempts to connect, as `docs/protocol.md` describes them ("Reconnecting"). */
export class Backoff {
  #wait = first;

  constructor(private readonly random: () => number) {}

  /** Returns the ms to wait, and doubles the next wait. @param least minimum of this wait. */
  next(least = 0): number {
    const wait = Math.max(this.#wait, least);
    this.#wait = Math.min(most, this.#wait * 2);
    return wait * (0.75 + this.random() / 2);
  }

  /** Begins again with the first wait, because the engine has confirmed audio. */
  reset(): void {
    this.#wait = first;
  }

  /** Notes the end of a connection. @param lasted its length in ms. */
  connectionEnded(lasted: number): void {
    if (lasted >= goodAfter) this.reset();
  }
}
