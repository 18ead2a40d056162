import { DurableJournal } from './durable-journal.js';
import type { Journal } from './journal.js';
import type { JournalOptions } from './options.js';

/**
 * Opens the journal of a shard. It takes over spills that an earlier run left behind (of this shard, or of any shard of
 * an engine process that is gone). If the database answers, they are replayed before this resolves; otherwise as soon as
 * the database answers. Never rejects because the database is away.
 * @throws the file system's error when `spillDir` cannot be used.
 */
export const openJournal = (options: JournalOptions): Promise<Journal> => DurableJournal.open(options);
