import { Tensor } from 'onnxruntime-node';

/** Number of samples of the previous window that precede each window in the model's input. */
export const contextSamples = 64;
export const windowSamples = 512;
export const inputSamples = contextSamples + windowSamples;

/** A window with the context before it, as an input of the model. */
export interface Window {
  readonly samples: Float32Array;
  readonly tensor: Tensor;
  /** Ms at which the frame that completed the window arrived. */
  arrivedAt: number;
}

/**
 * Pool of windows. Windows are reused, because the garbage collection of unused ones would cost more than a run of the
 * model.
 */
export class WindowPool {
  readonly #free: Window[] = [];

  take(): Window {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const samples = new Float32Array(inputSamples);
    return { samples, tensor: new Tensor('float32', samples, [1, inputSamples]), arrivedAt: 0 };
  }

  give(window: Window): void {
    this.#free.push(window);
  }
}

/** Splits the samples of one stream into windows. */
export class Windower {
  readonly #pool: WindowPool;
  #open: Window;
  #filled = contextSamples;

  constructor(pool: WindowPool) {
    this.#pool = pool;
    this.#open = pool.take();
    this.#open.samples.fill(0, 0, contextSamples);
  }

  /**
   * @param arrivedAt ms at which the frame with these samples arrived.
   * @param ready receives each complete window and must return it to the pool.
   */
  add(pcm: Int16Array, arrivedAt: number, ready: (window: Window) => void): void {
    for (let at = 0; at < pcm.length; ) {
      const { samples } = this.#open;
      const count = Math.min(pcm.length - at, inputSamples - this.#filled);
      const shift = this.#filled - at;
      for (const end = at + count; at < end; at++) samples[at + shift] = pcm[at]! / 32_768;
      this.#filled += count;
      if (this.#filled < inputSamples) return;
      const full = this.#open;
      full.arrivedAt = arrivedAt;
      this.#open = this.#pool.take();
      this.#open.samples.set(samples.subarray(windowSamples));
      this.#filled = contextSamples;
      ready(full);
    }
  }

  close(): void {
    this.#pool.give(this.#open);
  }
}
