/**
 * Runs pieces of work one after the other, in the order of their requests. The recognisers of one process share an
 * instance, because two networks that compute at once would take the cores of other processes.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a piece of work after all earlier ones. @returns its result. @throws what the work throws. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
