export { type Followed, startCompletionFeed } from './completion-feed.js';

import { DurableJournal } from './durable-journal.js';
import type { Journal } from './journal.js';
import type { JournalOptions } from './options.js';

export type { ConversationChange, Journal, Lease, OpenConversation } from './journal.js';
export type { JournalOptions } from './options.js';
export { removeRejectedOf } from './rejected.js';
export { SpillFolders } from './spill-folders.js';

/**
 * Opens the journal of a shard. It takes over spills that an earlier run left behind (of this shard, or of any shard of
 * an engine process that is gone). If the database answers, they are replayed before this resolves; otherwise as soon as
 * the database answers. Never rejects because the database is away.
 * @throws the file system's error when `spillDir` cannot be used.
 */
export const openJournal = (options: JournalOptions): Promise<Journal> => DurableJournal.open(options);
