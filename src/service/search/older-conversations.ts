import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/client/index.js';
import { indexLateTexts, indexOlderConversations } from '../../store/search/index.js';
import { startRounds } from './background.js';

/**
 * Number of conversations that one transaction indexes and locks. Also the number of users whose skipped texts a
 * round reads.
 */
const batch = 20;

/**
 * Indexes words in the background: of conversations that were stored before search existed, and of texts that a storing
 * transaction skipped to save time.
 * @returns a function that ends the work. The promise that this function returns resolves when no work is running.
 * Idempotent.
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
