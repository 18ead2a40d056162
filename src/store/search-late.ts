import type { Sql } from './database.js';
import { isDatabaseAway, isTimeout } from './failure.js';

/** How often it is tried to read the words of a text before it is left alone. */
export const mostFailures = 3;

/** Ms that the words of one text may take in the background. */
const longest = 10_000;

interface LateText {
  readonly uid: string;
  readonly kind: string;
  readonly id: string;
}

/** What a round did, and how many texts it left alone because their words cannot be read. */
export interface LateRound {
  readonly went: 'worked' | 'idle';
  readonly given: number;
}

/** Whether a statement failed because of its own row, so that others may go on. */
export const isOwnFailure = (error: unknown): boolean => isTimeout(error) || !isDatabaseAway(error);

/** @returns whether it was tried and failed. */
const readWords = async (sql: Sql, { uid, kind, id }: LateText): Promise<'read' | 'held' | 'failed'> => {
  const [row] = await sql.begin(async (transaction) => {
    await transaction`select set_config('statement_timeout', ${String(longest)}, true),
      set_config('cochlea.search_time', ${String(longest)}, true)`;
    return transaction<{ read: boolean | null }[]>`select search_index_late(${uid}, ${kind}, ${id}) as read`;
  });
  if (row!.read === null) return 'held';
  return row!.read ? 'read' : 'failed';
};

/**
 * Reads the words of texts for which their transactions had no time, each in a transaction of its own. A text that fails is counted and
 * passed over, and left alone after `mostFailures`; its record is found by its meaning alone. Of several processes each text is read by one.
 * @param limit texts of a round.
 * @throws StatementError or the client library's error when the database is away.
 */
export const indexLateTexts = async (sql: Sql, limit: number): Promise<LateRound> => {
  const texts = await sql<LateText[]>`
    select uid, kind, id from search_late where failures < ${mostFailures} order by failures limit ${limit}`;
  let worked = false;
  let given = 0;
  for (const text of texts) {
    const { uid, kind, id } = text;
    const went = await readWords(sql, text).catch(async (error: unknown) => {
      if (!isOwnFailure(error)) throw error;
      await sql`
        update search_late set failures = failures + 1 where uid = ${uid} and kind = ${kind} and id = ${id}`;
      return 'failed' as const;
    });
    worked ||= went !== 'held';
    if (went !== 'failed') continue;
    const [row] = await sql<{ failures: number }[]>`
      select failures from search_late where uid = ${uid} and kind = ${kind} and id = ${id}`;
    if (row?.failures === mostFailures) given++;
  }
  return { went: worked ? 'worked' : 'idle', given };
};
