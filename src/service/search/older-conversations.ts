import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/database.js';
import { indexOlderConversations } from '../../store/search-older.js';
import { startRounds } from './background.js';

/** Conversations that are indexed in one transaction, which locks them. */
const batch = 20;

/**
 * Indexes in the background, by their words, the conversations that were stored before there was a search.
 * @returns what ends it; resolves when nothing of it is under way. Idempotent.
 */
export const startOlderConversations = (sql: Sql, log: Logger): (() => Promise<void>) =>
  startRounds(() => indexOlderConversations(sql, batch), 'older conversations cannot be indexed', log);
