/** A timer that ticks every `period` ms. Waiting for its ticks costs less than a new timer for each wait. */
export class Pulse {
  #timer: NodeJS.Timeout | undefined;
  #resolve: (() => void) | undefined;

  constructor(private readonly period: number) {}

  /** Resolves at the next tick. Starts the timer if necessary. Only one wait at a time is allowed. */
  next(): Promise<void> {
    this.#timer ??= setInterval(() => this.#tick(), this.period);
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Stops the timer until the next call of `next`. If a wait is running, it then never ends. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.#resolve?.();
    this.#resolve = undefined;
  }
}
