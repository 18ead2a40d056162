import { BroadcastChannel } from 'node:worker_threads';
import type { HealthReport } from './health.js';

/**
 * What shards of one process tell each other about providers, so that a provider that fails is found out by all of them together.
 * One on each thread; it does not keep the thread alive.
 */
export class ProviderNews {
  readonly #channel: BroadcastChannel;

  /** @param engineId of the process: tests run several engines in one. */
  constructor(engineId: string) {
    this.#channel = new BroadcastChannel(`providers of ${engineId}`);
    this.#channel.unref();
  }

  tell(report: HealthReport): void {
    this.#channel.postMessage(report);
  }

  /** @param listener takes what the others tell. */
  listen(listener: (report: HealthReport) => void): void {
    this.#channel.onmessage = (event) => listener((event as { data: HealthReport }).data);
    this.#channel.unref();
  }

  close(): void {
    this.#channel.close();
  }
}
