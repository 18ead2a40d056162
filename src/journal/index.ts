export { startCompletionFeed } from './completion-feed.js';

import { DurableJournal } from './durable-journal.js';
import type { Journal } from './journal.js';
import type { JournalOptions } from './options.js';

export type { ConversationChange, Journal, Lease, OpenConversation } from './journal.js';
export type { JournalOptions } from './options.js';
export { SpillFolders } from './spill-folders.js';

/**
 * Opens the journal of a shard. Spills that an earlier run left behind (of this shard, or of any shard of an engine
 * process that is gone) are taken over; if the database answers they are replayed before this resolves, else as soon
 * as it does. Never rejects because the database is away.
 * @throws what the file system throws when `spillDir` cannot be used.
 */
export const openJournal = (options: JournalOptions): Promise<Journal> => DurableJournal.open(options);
