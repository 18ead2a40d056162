import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/database.js';
import { indexLateTexts } from '../../store/search-late.js';
import { indexOlderConversations } from '../../store/search-older.js';
import { startRounds } from './background.js';

/** Conversations that are indexed in one transaction, which locks them. */
const batch = 20;

/**
 * Indexes in the background, by their words, the conversations that were stored before there was a search, and texts for which
 * the transactions that stored them had no time.
 * @returns what ends it; resolves when nothing of it is under way. Idempotent.
 */
export const startOlderConversations = (sql: Sql, log: Logger): (() => Promise<void>) => {
  const ends = [
    startRounds(() => indexOlderConversations(sql, batch), 'older conversations cannot be indexed', log),
    startRounds(
      async () => {
        const { went, given } = await indexLateTexts(sql, batch);
        if (given > 0) log.warn({ texts: given }, 'words of texts cannot be indexed');
        return went;
      },
      'late texts cannot be indexed',
      log,
    ),
  ];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
};
