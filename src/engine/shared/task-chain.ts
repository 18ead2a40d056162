/** Runs asynchronous tasks one after the other, in the order of the calls to `run`. */
export class TaskChain {
  #last: Promise<void> = Promise.resolve();
  #pending = 0;

  /** Number of tasks that have not ended. */
  get pending(): number {
    return this.#pending;
  }

  /**
   * Runs a task after all earlier tasks. @returns the result of the task. If a task rejects, the next task still
   * runs.
   */
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
