import { DurableJournal } from './durable-journal.js';
import type { Journal } from './journal.js';
import type { JournalOptions } from './options.js';

/**
 * Opens the journal of a shard. It takes over the spills of earlier runs: of this shard, or of any shard of an engine process that has
 * ended. If the database responds, they are replayed before this resolves; otherwise as soon as it responds. Never rejects because the
 * database is away.
 * @throws the file system's error if `spillDir` cannot be used.
 */
export const openJournal = (options: JournalOptions): Promise<Journal> => DurableJournal.open(options);
