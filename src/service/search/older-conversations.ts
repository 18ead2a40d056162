import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/client/index.js';
import { indexLateTexts, indexOlderConversations } from '../../store/search/index.js';
import { startRounds } from './background.js';

/**
 * Number of conversations that one transaction locks and indexes. It is also the number of users whose unindexed texts
 * are read in one round.
 */
const batch = 20;

/**
 * Indexes words in the background. It indexes conversations that were stored before search existed. It also indexes
 * texts that were not indexed when they were stored, because that would have taken too long.
 * @returns an idempotent function that ends the work. Its promise resolves when no work is running.
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
