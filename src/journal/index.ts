import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { DurableJournal } from './durable-journal.js';
import type { Journal } from './journal.js';

export type {
  ConversationChange,
  ConversationKey,
  Durability,
  Journal,
  Lease,
  OpenConversation,
  ResumedConversation,
  StoredSegment,
} from './journal.js';

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
  readonly log: Logger;
  readonly metrics: MetricsRow;
  /** Wall clock, ms since the epoch. */
  readonly clock?: () => number;
}

/**
 * Opens the journal of a shard. Spills that an earlier run left behind (of this shard, or of any shard of an engine
 * process that is gone) are taken over; if the database answers they are replayed before this resolves, else as soon
 * as it does. Never rejects because the database is away.
 * @throws what the file system throws when `spillDir` cannot be used.
 */
export const openJournal = (options: JournalOptions): Promise<Journal> => DurableJournal.open(options);
