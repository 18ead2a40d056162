import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import type { Announcer } from '../store/client/index.js';
import type { VoiceBounds } from '../wire/records/index.js';
import type { JournalCopies } from './copies/index.js';

export interface JournalOptions {
  readonly databaseUrl: string;
  /** Folder of spills, on a local disk. The journals of all engines on this machine share it. */
  readonly spillDir: string;
  /** Id of the engine. It stays the same across restarts. Two running engines never have the same id. */
  readonly engineId: string;
  readonly shard: number;
  /** Time in ms after which the lease of the journal expires if it is not renewed. */
  readonly leaseDuration: number;
  /** Time in ms after which the journal writes to the spill if the database has not responded. */
  readonly databaseTimeout: number;
  /** Maximum size of the spill, in bytes. */
  readonly spillSize: number;
  /** Maximum number of bytes of one user's words in the spill during an outage. By default, there is no limit. */
  readonly spillUserSize?: number;
  /** Maximum number of connections to the database. The default is 4, and 1 is enough. Idle connections are closed. */
  readonly connections?: number;
  /**
   * Whether a feed of this process announces completed conversations (`startCompletionFeed`). If not, the journal opens one more
   * connection to listen for them.
   */
  readonly sharedCompletions?: boolean;
  /**
   * Whether this process has a bus that sends announcements of this journal (`startEventFeed`). The default is false.
   */
  readonly bus?: boolean;
  /** Sends announcements in place of the database's notifications. When absent, the database sends notifications. */
  readonly announcer?: Announcer | undefined;
  /** Maximum total size of rejected entries, in bytes. The default is `fixedLimits.rejectedEntries`. */
  readonly rejectedSize?: number;
  /** Maximum ms for which a stream waits for its number. The default is `fixedLimits.clockWait`. */
  readonly clockWait?: number;
  /**
   * Copies spilled entries to the fleet's stream. When absent, spilled entries are only on the disk of this machine.
   */
  readonly copies?: JournalCopies | undefined;
  readonly voiceBounds: VoiceBounds;
  readonly log: Logger;
  readonly metrics: MetricsRow;
  /** Returns how often this process has released the spill of a lost shard for replay. The default is 0. */
  readonly surrenders?: () => number;
  /** Wall clock, ms since the epoch. */
  readonly clock?: () => number;
}
