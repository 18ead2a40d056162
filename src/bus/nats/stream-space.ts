/** Shares of the stream's limit. From `fullFrom` on, a stream counts as full until it falls below `usableBelow`. */
const [fullFrom, usableBelow] = [0.95, 0.8];

/**
 * Decides whether a stream has space. A nearly full stream would confirm a small canary and refuse the next large copy. So
 * a full stream counts as full until much of it was removed.
 */
export class StreamSpace {
  #isFull = false;

  /** Called when the stream refused a message because it is full. */
  refused(): void {
    this.#isFull = true;
  }

  /** @param fullness share of its limit that the stream uses, from 0 to 1. @returns whether it counts as full. */
  isFull(fullness: number): boolean {
    if (fullness >= fullFrom) this.#isFull = true;
    else if (fullness < usableBelow) this.#isFull = false;
    return this.#isFull;
  }
}
