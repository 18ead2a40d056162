import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Counters } from './counters.js';
import { type FrameBatch, Outbox } from './outbox.js';

/** Messages from the main thread to a worker. */
export type ToWorker =
  | { readonly kind: 'open'; readonly id: number; readonly codec: string; readonly sampleRate: number }
  | { readonly kind: 'frames'; readonly batch: FrameBatch }
  | { readonly kind: 'close'; readonly id: number };

class Member {
  readonly counters = new Counters();
  readonly worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { memory: this.counters.memory },
  });
  // The batch is cloned, because for its size a transfer costs more than a copy.
  readonly frames = new Outbox((batch) =>
    this.worker.postMessage({ kind: 'frames', batch } satisfies ToWorker),
  );
  streams = 0;

  /** Sends a message to the worker. The worker receives all earlier frames first. */
  post(message: ToWorker): void {
    this.frames.flush();
    this.worker.postMessage(message);
  }
}

/** Worker threads. Each processes a part of the streams. */
export class WorkerPool {
  readonly #members: readonly Member[];
  #nextId = 0;

  private constructor(members: readonly Member[]) {
    this.#members = members;
  }

  /** @param count number of threads. */
  static async open(count: number): Promise<WorkerPool> {
    const members = Array.from({ length: count }, () => new Member());
    await Promise.all(members.map(({ worker }) => once(worker, 'message')));
    return new WorkerPool(members);
  }

  get counters(): readonly Counters[] {
    return this.#members.map(({ counters }) => counters);
  }

  /** Opens a stream on the worker with the fewest streams. */
  stream(
    codec: string,
    sampleRate: number,
  ): { push(message: Uint8Array, arrivedAt: number): void; close(): void } {
    const member = this.#members.reduce((best, one) => (one.streams < best.streams ? one : best));
    const id = this.#nextId++;
    member.streams++;
    member.post({ kind: 'open', id, codec, sampleRate });
    return {
      push: (message, arrivedAt) => member.frames.add(id, message, arrivedAt),
      close: () => {
        member.streams--;
        member.post({ kind: 'close', id });
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ worker }) => worker.terminate()));
  }
}
