import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import type { VoiceBounds } from '../wire/records/index.js';

export interface JournalOptions {
  readonly databaseUrl: string;
  /** Folder of spills, on a local disk. The journals of all engines on this machine share it. */
  readonly spillDir: string;
  /** Stays the same across restarts; no two running engines have the same one. */
  readonly engineId: string;
  readonly shard: number;
  /** Ms; an engine that stops renewing loses its conversations after this. */
  readonly leaseDuration: number;
  /** Ms without an answer after which the journal spills. */
  readonly databaseTimeout: number;
  /** Bytes the spill may hold. */
  readonly spillSize: number;
  /** Most connections to the database; 4 when absent, 1 is enough. They are closed while there is nothing to do. */
  readonly connections?: number;
  /**
   * Whether a feed of this process announces completed conversations (`startCompletionFeed`). Otherwise the journal
   * listens with one more connection.
   */
  readonly sharedCompletions?: boolean;
  /** Bytes that rejected entries may take; `fixedLimits.rejectedEntries` when absent. */
  readonly rejectedSize?: number;
  readonly voiceBounds: VoiceBounds;
  readonly log: Logger;
  readonly metrics: MetricsRow;
  /** How often the spill of a lost shard of this process was released for replay; 0 when absent. */
  readonly surrenders?: () => number;
  /** Wall clock, ms since the epoch. */
  readonly clock?: () => number;
}
