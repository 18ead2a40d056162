/** Wakes loops that sleep between two searches for work. */
export class Signal {
  readonly #sleepers = new Set<() => void>();
  #missed = false;

  /**
   * Sleeps until `wake` is called, or for `timeout` ms. If `wake` was called while no loop slept, resolves immediately.
   * While a loop sleeps here, the process stays alive.
   */
  wait(timeout: number): Promise<void> {
    if (this.#missed) {
      this.#missed = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const awake = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(awake);
        resolve();
      };
      const timer = setTimeout(awake, timeout);
      this.#sleepers.add(awake);
    });
  }

  wake(): void {
    this.#missed = this.#sleepers.size === 0;
    for (const awake of [...this.#sleepers]) awake();
  }
}
