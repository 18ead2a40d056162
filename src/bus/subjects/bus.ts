import type { Members } from '../members/index.js';
import type { BusChannel, BusRole } from './channels.js';
import type { CopyReader, CopyWriter } from './spill-copies.js';

/** The role and the name of this process on the bus. */
export interface BusIdentity {
  readonly role: BusRole;
  /**
   * Name of the process's machine: letters, digits, "-" and "_". The credentials of the process permit only this name.
   */
  readonly name: string;
  /** Number of the engine process, if the machine has several. */
  readonly process?: number;
}

/** Counts of a connection, for metrics and tests. */
export interface BusTraffic {
  readonly inBytes: number;
  readonly outBytes: number;
  /** Number of events that were not sent because the bus was unavailable or too slow. */
  readonly dropped: number;
}

/**
 * Carries events between the processes of a fleet. An event has at most one id: the id of a user or a conversation.
 * Events can be lost at any time. So each process that follows events also reads the database periodically, and after
 * each reconnect.
 */
export interface Bus {
  /** Whether the process is connected, so that events are sent and received. */
  readonly connected: boolean;
  /** The living engines of the fleet; null for a sidecar. */
  readonly members: Members | null;
  /** Access of an engine to the copies of spilled entries; null for a sidecar, or without `SPILL_KEY`. */
  readonly copies: CopyWriter | null;
  /** Access of a sidecar to the copies of spilled entries; null for an engine, or without `SPILL_KEY`. */
  readonly storedCopies: CopyReader | null;
  /**
   * Whether events of this channel are sent over the bus. False for urgent channels, such as revocations, while the bus
   * is unavailable: their events are then sent through the database. Events of other channels are lost during this
   * time.
   */
  carries(channel: string): boolean;
  /** Sends an event to all processes that follow its channel. Never throws and never waits. */
  publish(channel: string, id: string): void;
  /**
   * Calls `listener` with the id of each event of a channel, including events of this process.
   * @param id selects the events with this id. Only for channels that have ids in their subjects.
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
