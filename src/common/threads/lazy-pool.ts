import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';

type PoolOptions = ConstructorParameters<typeof Piscina>[0];

/**
 * A thread pool that starts with its first task. It has at most one thread unless the options allow more. The thread
 * that creates the pool owns it.
 */
export class LazyPool {
  readonly #options: PoolOptions;
  #pool: Piscina | undefined;

  /** @param module entry module of the threads. @param options options of piscina. */
  constructor(module: URL, options: PoolOptions) {
    this.#options = { minThreads: 0, maxThreads: 1, ...options, filename: fileURLToPath(module) };
  }

  /** Runs a task on a thread. Rejects with the error of the task. */
  run(...task: Parameters<Piscina['run']>): ReturnType<Piscina['run']> {
    this.#pool ??= new Piscina(this.#options);
    return this.#pool.run(...task);
  }

  /** Ends the threads after all running tasks. */
  async close(): Promise<void> {
    await this.#pool?.close();
  }

  /** Ends the threads at once. Running tasks fail. */
  async destroy(): Promise<void> {
    await this.#pool?.destroy();
  }
}
