import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/client/index.js';
import { indexLateTexts, indexOlderConversations } from '../../store/search/index.js';
import { startRounds } from './background.js';

/** Conversations that are indexed in one transaction, which locks them; users of whom a round reads a late text. */
const batch = 20;

/**
 * Indexes in the background, by their words, the conversations that were stored before there was a search, and texts for which
 * the transactions that stored them had no time.
 * @returns what ends it; resolves when nothing of it is under way. Idempotent.
 */
export const startOlderConversations = (sql: Sql, log: Logger): (() => Promise<void>) => {
  let after = '';
  const ends = [
    startRounds(() => indexOlderConversations(sql, batch), 'older conversations cannot be indexed', log),
    startRounds(
      async () => {
        const round = await indexLateTexts(sql, batch, after);
        after = round.after;
        if (round.given > 0) log.warn({ texts: round.given }, 'words of texts cannot be indexed');
        return round.went;
      },
      'late texts cannot be indexed',
      log,
    ),
  ];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
};
