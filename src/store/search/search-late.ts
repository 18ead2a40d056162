import { isDatabaseAway, isTimeout, type Sql } from '../client/index.js';

/** How often it is tried to read the words of a text before it is left alone. */
export const mostFailures = 3;

/** Ms that the words of one text may take in the background. */
const longest = 10_000;

interface LateText {
  readonly uid: string;
  readonly kind: string;
  readonly id: string;
}

/** What a round did. */
export interface LateRound {
  readonly went: 'worked' | 'idle';
  /** Texts that it left alone because their words cannot be read. */
  readonly given: number;
  /** The user after whom the next round begins. */
  readonly after: string;
}

/** One text of each of the next users that have any. */
const nextTexts = (sql: Sql, after: string, limit: number) => sql<LateText[]>`
  with recursive users as (
    (select uid, 1 as place from search_late where failures < ${mostFailures} and uid > ${after} order by uid limit 1)
    union all
    select (select uid from search_late where failures < ${mostFailures} and uid > u.uid order by uid limit 1), place + 1
    from users u where u.uid is not null and place < ${limit})
  select t.uid, t.kind, t.id from users u cross join lateral (
    select uid, kind, id from search_late where uid = u.uid and failures < ${mostFailures} order by failures limit 1) as t
  order by u.place`;

/** Whether a statement failed because of its own row, so that others may go on. */
export const isOwnFailure = (error: unknown): boolean => isTimeout(error) || !isDatabaseAway(error);

/** @returns `held` where another transaction has the record or its text. */
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
 * Reads the words of texts for which their transactions had no time, each in a transaction of its own, users in turn. A text that fails
 * is counted and passed over, and left alone after `mostFailures`; its record is found by its meaning alone. Of several processes each
 * text is read by one.
 * @param limit users of a round; it reads one text of each.
 * @param after of the round before; empty for the first one.
 * @throws StatementError or the client library's error when the database is away.
 */
export const indexLateTexts = async (sql: Sql, limit: number, after: string): Promise<LateRound> => {
  const texts = await nextTexts(sql, after, limit);
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
  const isLast = texts.length < limit;
  return {
    went: worked || (isLast && after !== '') ? 'worked' : 'idle',
    given,
    after: isLast ? '' : texts.at(-1)!.uid,
  };
};
