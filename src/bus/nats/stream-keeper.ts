import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../../log/index.js';
import type { ConnectionDuty } from './connection-duty.js';

/** Ms between two checks of a sidecar whether a stream exists. */
const lookInterval = 10_000;

/**
 * Makes a stream whenever it is missing. Only sidecars do this, so that the credentials of engines need no permission
 * to make streams.
 */
export class StreamKeeper implements ConnectionDuty {
  #connection: NatsConnection | undefined;
  #looks: NodeJS.Timeout | undefined;
  #warned = false;

  /**
   * @param make makes the stream unless it exists.
   * @param without text for the log that says what does not work without the stream.
   */
  constructor(
    private readonly make: (connection: NatsConnection, log: Logger) => Promise<void>,
    private readonly without: string,
    private readonly log: Logger,
  ) {}

  use(): void {}

  connected(connection: NatsConnection): void {
    this.#connection = connection;
    this.#looks ??= setInterval(() => void this.#look(), lookInterval).unref();
    void this.#look();
  }

  disconnected(): void {
    this.#connection = undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#looks);
    this.#connection = undefined;
  }

  async #look(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    try {
      await this.make(connection, this.log);
      this.#warned = false;
    } catch (thrown) {
      if (this.#connection !== connection || this.#warned) return;
      this.#warned = true;
      this.log.warn({ err: thrown }, this.without);
    }
  }
}
