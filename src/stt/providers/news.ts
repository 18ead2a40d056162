import { BroadcastChannel } from 'node:worker_threads';
import type { HealthReport } from './health.js';

/**
 * Exchanges health reports about providers between the shards of a process, so that all shards soon know about a
 * failing provider. Each thread has one instance, which does not keep the thread alive.
 */
export class ProviderNews {
  readonly #channel: BroadcastChannel;

  /** @param engineId id of the engine. It separates the engines that tests run in one process. */
  constructor(engineId: string) {
    this.#channel = new BroadcastChannel(`providers of ${engineId}`);
    this.#channel.unref();
  }

  tell(report: HealthReport): void {
    this.#channel.postMessage(report);
  }

  /** Registers a listener. @param listener called with the reports of other threads. */
  listen(listener: (report: HealthReport) => void): void {
    this.#channel.onmessage = (event) => listener((event as { data: HealthReport }).data);
    this.#channel.unref();
  }

  close(): void {
    this.#channel.close();
  }
}
