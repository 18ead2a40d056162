import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';

type PoolOptions = ConstructorParameters<typeof Piscina>[0];

/** Threads that start with the first task; one at most, unless the options say more. Owned by the thread that makes it. */
export class LazyPool {
  readonly #options: PoolOptions;
  #pool: Piscina | undefined;

  /** @param module of the threads. @param options of piscina. */
  constructor(module: URL, options: PoolOptions) {
    this.#options = { minThreads: 0, maxThreads: 1, ...options, filename: fileURLToPath(module) };
  }

  /** @throws (rejects) what the task throws. */
  run(...task: Parameters<Piscina['run']>): ReturnType<Piscina['run']> {
    this.#pool ??= new Piscina(this.#options);
    return this.#pool.run(...task);
  }

  /** Ends the threads after the tasks under way. */
  async close(): Promise<void> {
    await this.#pool?.close();
  }

  /** Ends the threads at once: tasks under way fail. */
  async destroy(): Promise<void> {
    await this.#pool?.destroy();
  }
}
