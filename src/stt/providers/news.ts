import { BroadcastChannel } from 'node:worker_threads';
import type { HealthReport } from './health.js';

/**
 * Exchanges provider health reports between the shards of a process, so that they detect a failing provider together.
 * One instance on each thread; it does not keep the thread alive.
 */
export class ProviderNews {
  readonly #channel: BroadcastChannel;

  /** @param engineId of the process, because tests run several engines in one process. */
  constructor(engineId: string) {
    this.#channel = new BroadcastChannel(`providers of ${engineId}`);
    this.#channel.unref();
  }

  tell(report: HealthReport): void {
    this.#channel.postMessage(report);
  }

  /** @param listener gets the reports of other threads. */
  listen(listener: (report: HealthReport) => void): void {
    this.#channel.onmessage = (event) => listener((event as { data: HealthReport }).data);
    this.#channel.unref();
  }

  close(): void {
    this.#channel.close();
  }
}
