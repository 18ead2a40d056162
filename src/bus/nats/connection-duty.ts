import type { NatsConnection } from '@nats-io/transport-node';

/** What a process does on its connection to the bus besides events. */
export interface ConnectionDuty {
  /** Prepares a new connection. The library subscribes again by itself after it reconnects. */
  use(connection: NatsConnection): void;
  /** The connection is usable, for the first time or again. */
  connected(connection: NatsConnection): void;
  disconnected(): void;
  /** Ends the duty. The connection may still be open. */
  close(): Promise<void>;
}
