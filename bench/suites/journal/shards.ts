import { Worker } from 'node:worker_threads';
import type { Acknowledged, ShardOptions, ShardRequest, ShardRound, ShardRun } from './shard.js';

/** Several journals. Each has its own thread. */
export interface JournalShards {
  /** Runs a round on the first `count` journals at the same time. */
  run(count: number, run: ShardRun): Promise<ShardRound[]>;
  /** Returns the segments that all journals have acknowledged. */
  acknowledged(): Promise<Acknowledged>;
  close(): Promise<void>;
}

class Shard {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (value: never) => void; reject: (reason: Error) => void }[] = [];
  #failure: Error | undefined;

  constructor(options: ShardOptions) {
    this.#worker = new Worker(new URL('./shard.js', import.meta.url), { workerData: options });
    this.#worker.on('message', ({ value, error }: { value: never; error?: string }) => {
      const waiter = this.#waiting.shift();
      if (error === undefined) waiter?.resolve(value);
      else waiter?.reject(new Error(error));
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('a journal thread ended')));
  }

  /** Resolves with the next message of the shard. */
  nextMessage<Value>(): Promise<Value> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve: resolve as (value: never) => void, reject });
    });
  }

  ask<Value>(request: ShardRequest): Promise<Value> {
    const answer = this.nextMessage<Value>();
    this.#worker.postMessage(request);
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** Starts journals. Resolves when each has opened its conversations. */
export const startJournalShards = async (
  count: number,
  options: Omit<ShardOptions, 'shard'>,
): Promise<JournalShards> => {
  const shards = Array.from({ length: count }, (_, shard) => new Shard({ ...options, shard }));
  try {
    await Promise.all(shards.map((shard) => shard.nextMessage()));
  } catch (error) {
    await Promise.all(shards.map((shard) => shard.end()));
    throw error;
  }
  return {
    run: (used, run) =>
      Promise.all(shards.slice(0, used).map((shard) => shard.ask<ShardRound>({ kind: 'run', run }))),
    acknowledged: async () => {
      const each = await Promise.all(
        shards.map((shard) => shard.ask<Acknowledged>({ kind: 'acknowledged' })),
      );
      return new Map(each.flatMap((map) => [...map]));
    },
    close: async () => {
      try {
        await Promise.all(shards.map((shard) => shard.ask({ kind: 'close' })));
      } finally {
        await Promise.all(shards.map((shard) => shard.end()));
      }
    },
  };
};
