import type { Members } from '../members/index.js';
import type { BusChannel, BusRole } from './channels.js';
import type { CopyReader, CopyWriter } from './spill-copies.js';

/** The role and the name of this process on the bus. */
export interface BusIdentity {
  readonly role: BusRole;
  /** Letters, digits, "-" and "_". The credentials of the process permit only this name. */
  readonly name: string;
  /** Number of the engine process among several with this name. */
  readonly process?: number;
}

/** Counts of a connection, for metrics and tests. */
export interface BusTraffic {
  readonly inBytes: number;
  readonly outBytes: number;
  /** Events that were not sent because the bus was away or too slow. */
  readonly dropped: number;
}

/**
 * Events between the processes of a fleet. An event has at most one id, of a user or a conversation. Events can be lost
 * at any time. So each reader also reads the database periodically, and after each reconnect.
 */
export interface Bus {
  /** Whether events are sent and received at this time. */
  readonly connected: boolean;
  /** The living engines of the fleet; null for a sidecar. */
  readonly members: Members | null;
  /** Stores copies of spilled entries; null for a sidecar, or without `SPILL_KEY`. */
  readonly copies: CopyWriter | null;
  /** Reads copies of spilled entries; null for an engine, or without `SPILL_KEY`. */
  readonly storedCopies: CopyReader | null;
  /**
   * Whether events of this channel go over the bus. While the bus is away, they are lost. Only revocations then go
   * through the database.
   */
  carries(channel: string): boolean;
  /** Sends an event to all processes that follow its channel. Never throws and never waits. */
  publish(channel: string, id: string): void;
  /**
   * Calls `listener` with the id of each event of a channel, including events of this process.
   * @param id follows the events of one id only. The channel must have ids in its subjects.
   * @returns a function that ends the subscription.
   */
  follow(channel: BusChannel, listener: (id: string) => void, id?: string): () => void;
  /**
   * Calls `listener` when the connection is established or lost. When it is established, earlier events may have been
   * lost.
   */
  onChange(listener: (connected: boolean) => void): void;
  traffic(): BusTraffic;
  close(): Promise<void>;
}
