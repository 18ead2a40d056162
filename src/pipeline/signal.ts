/** Wakes loops that would otherwise sleep until their next look. */
export class Signal {
  readonly #sleepers = new Set<() => void>();
  #missed = false;

  /** Sleeps `timeout` ms or until `wake`; returns at once after a `wake` nobody slept through. Holds the process open. */
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
