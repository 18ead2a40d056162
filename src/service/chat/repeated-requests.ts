/**
 * Has requests that repeat one another done one after the other, so that a repetition finds what the request before it has stored.
 * Callers bound how many there are at once.
 */
export class RepeatedRequests {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Does work when the requests with the same key that came before have ended, however they did.
   * @param key undefined for a request that repeats none.
   */
  async inTurn<Result>(uid: string, key: string | undefined, work: () => Promise<Result>): Promise<Result> {
    if (key === undefined) return work();
    const id = JSON.stringify([uid, key]);
    const before = this.#last.get(id) ?? Promise.resolve();
    const own = before.then(work);
    const ended = own.catch(() => undefined);
    this.#last.set(id, ended);
    try {
      return await own;
    } finally {
      if (this.#last.get(id) === ended) this.#last.delete(id);
    }
  }
}
