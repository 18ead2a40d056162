/** Runs asynchronous tasks one after the other, in the order in which they were given. */
export class TaskChain {
  #last: Promise<void> = Promise.resolve();
  #pending = 0;

  /** Tasks that have not ended. */
  get pending(): number {
    return this.#pending;
  }

  /** @returns what the task results in; one that rejects does not keep the next from running. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#pending++;
    const run = this.#last.then(task).finally(() => {
      this.#pending--;
    });
    this.#last = run.then(
      () => undefined,
      () => undefined,
    );
    return run;
  }
}
