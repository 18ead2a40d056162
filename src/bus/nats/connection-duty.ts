import type { NatsConnection } from '@nats-io/transport-node';

/** A task of a process on its connection to the bus, in addition to events. */
export interface ConnectionDuty {
  /**
   * Prepares a new connection. Not called after a reconnect, because the NATS library then subscribes again by itself.
   */
  use(connection: NatsConnection): void;
  /** Called when the connection is usable, for the first time or after a reconnect. */
  connected(connection: NatsConnection): void;
  disconnected(): void;
  /** Ends the task. The connection may still be open. */
  close(): Promise<void>;
}
