/**
 * Runs requests of a user with the same key one after the other, so that a repetition finds the result of the earlier
 * request. Callers limit the number of concurrent requests.
 */
export class RepeatedRequests {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs work after the earlier requests with the same key have ended, successfully or not.
   * @param key the client's key; undefined for a request without a key.
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
