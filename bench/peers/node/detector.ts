import { now } from './clock.js';
import type { Counters } from './counters.js';
import type { Gate } from './gate.js';
import type { Window, WindowPool } from './windows.js';

/** Runs the model over windows of many streams. */
export interface Detector {
  /** What it remembers of one stream. */
  open(): Track;
}

/** One stream of a detector. Windows are worked on in the order they were added. */
export interface Track {
  /** Takes the window; it is back in the pool when it was worked on. */
  add(window: Window): void;
}

/** Notes what a window's probability means, which ends the work on it. */
export class Decisions {
  readonly #counters: Counters;
  readonly #pool: WindowPool;

  constructor(counters: Counters, pool: WindowPool) {
    this.#counters = counters;
    this.#pool = pool;
  }

  take(gate: Gate, window: Window, probability: number): void {
    const counters = this.#counters;
    if (gate.step(probability)) counters.count('speech_starts_total');
    counters.count('vad_windows_total');
    if (probability >= 0.5) counters.count('speech_windows_total');
    counters.observe(now() - window.arrivedAt);
    this.#pool.give(window);
  }
}
