import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import type { VoiceBounds } from '../wire/records/index.js';

export interface JournalOptions {
  readonly databaseUrl: string;
  /** Folder of spills, on a local disk. The journals of all engines on this machine share it. */
  readonly spillDir: string;
  /** Id of the engine. It stays the same across restarts, and no two running engines share it. */
  readonly engineId: string;
  readonly shard: number;
  /** Ms after which an engine that stops renewing its leases loses its conversations. */
  readonly leaseDuration: number;
  /** Ms without a response after which the journal spills. */
  readonly databaseTimeout: number;
  /** Most bytes of the spill. */
  readonly spillSize: number;
  /** Most connections to the database; by default 4, and 1 is enough. Idle connections are closed. */
  readonly connections?: number;
  /**
   * Whether a feed of this process announces completed conversations (`startCompletionFeed`). If not, the journal opens one more
   * connection to listen for them.
   */
  readonly sharedCompletions?: boolean;
  /** Most bytes of rejected entries; by default `fixedLimits.rejectedEntries`. */
  readonly rejectedSize?: number;
  readonly voiceBounds: VoiceBounds;
  readonly log: Logger;
  readonly metrics: MetricsRow;
  /** Returns how often the spill of a lost shard of this process was released for replay; by default 0. */
  readonly surrenders?: () => number;
  /** Wall clock, ms since the epoch. */
  readonly clock?: () => number;
}
