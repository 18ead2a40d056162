import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../log/index.js';
import type { Sql } from '../../store/database.js';
import { indexOlderConversations } from '../../store/search-older.js';

/** Conversations that are indexed in one transaction, which locks them. */
const batch = 20;
/** Ms between two tries, while another process is at it or the database is away. */
const pause = 2000;

/**
 * Indexes in the background, by their words, the conversations that were stored before there was a search.
 * @returns what ends it; resolves when nothing of it is under way. Idempotent.
 */
export const startOlderConversations = (sql: Sql, log: Logger): (() => Promise<void>) => {
  const closing = new AbortController();
  const { signal } = closing;
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const went = await indexOlderConversations(sql, batch);
        if (went === 'done') return;
        if (went === 'indexed') continue;
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'older conversations cannot be indexed');
      }
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  };
  const working = work();
  return () => {
    closing.abort();
    return working;
  };
};
