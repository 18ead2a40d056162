import { now } from './clock.js';
import type { Counters } from './counters.js';
import type { Gate } from './gate.js';
import type { Window, WindowPool } from './windows.js';

/** Runs the model over windows of many streams. */
export interface Detector {
  /** Opens a stream with its own state. */
  open(): Track;
}

/** One stream of a detector. The detector processes its windows in order. */
export interface Track {
  /** Adds a window. The detector returns the window to the pool after processing. */
  add(window: Window): void;
}

/** Acts on the probability of a window. The processing of the window then ends. */
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
