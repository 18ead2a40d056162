import { DurableJournal } from './durable-journal.js';
import type { Journal } from './journal.js';
import type { JournalOptions } from './options.js';

/**
 * Opens the journal of a shard. The journal takes over the spills of this shard's earlier runs, and the spills of all
 * shards of engine processes that have ended. If the database responds, the spills are replayed before the promise
 * resolves; otherwise later. An unreachable database does not reject the promise.
 * @throws the file system's error if `spillDir` cannot be used.
 */
export const openJournal = (options: JournalOptions): Promise<Journal> => DurableJournal.open(options);
