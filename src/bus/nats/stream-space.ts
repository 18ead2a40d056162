/**
 * Shares of a stream's size limit. A stream that reaches `fullFrom` counts as full until its size falls below
 * `usableBelow`.
 */
const [fullFrom, usableBelow] = [0.95, 0.8];

/**
 * Decides whether a stream has space. A nearly full stream would confirm a small canary and then refuse a large copy.
 * So a stream that was full counts as full until many of its messages were removed.
 */
export class StreamSpace {
  #isFull = false;

  /** Called when the stream refused a message because it is full. */
  refused(): void {
    this.#isFull = true;
  }

  /**
   * @param fullness share of its limit that the stream uses, from 0 to 1.
   * @returns whether the stream counts as full.
   */
  isFull(fullness: number): boolean {
    if (fullness >= fullFrom) this.#isFull = true;
    else if (fullness < usableBelow) this.#isFull = false;
    return this.#isFull;
  }
}
