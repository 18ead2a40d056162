import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';

export interface JournalOptions {
  readonly databaseUrl: string;
  /** Folder of spills, on a local disk; shared by the journals of all engines of this machine. */
  readonly spillDir: string;
  /** The same after a restart, different for every engine that runs. */
  readonly engineId: string;
  readonly shard: number;
  /** Ms; an engine that stops renewing loses its conversations after this. */
  readonly leaseDuration: number;
  /** Ms without an answer after which the journal spills. */
  readonly databaseTimeout: number;
  /** Bytes the spill may hold. */
  readonly spillSize: number;
  /** Connections to the database; 4 when absent. One does, and is closed while there is nothing to do. */
  readonly connections?: number;
  /**
   * Whether a feed of this process tells of completed conversations (`startCompletionFeed`); else, the journal listens
   * with one more connection.
   */
  readonly sharedCompletions?: boolean;
  /** Bytes that rejected entries may take; the product's limit when absent. */
  readonly rejectedSize?: number;
  readonly log: Logger;
  readonly metrics: MetricsRow;
  /** How often a lost shard of this process had its spill set free to be replayed; never when absent. */
  readonly surrenders?: () => number;
  /** Wall clock, ms since the epoch. */
  readonly clock?: () => number;
}
