import { isDatabaseAway, isTimeout, type Sql } from '../client/index.js';

/** Maximum number of attempts to index the words of a text. */
export const mostFailures = 3;

/** Maximum ms for indexing one text in the background. */
const longest = 10_000;

interface LateText {
  readonly uid: string;
  readonly kind: string;
  readonly id: string;
}

/** Result of one call of `indexLateTexts`. */
export interface LateRound {
  readonly went: 'worked' | 'idle';
  /** Number of texts given up in this round because their words cannot be indexed. */
  readonly given: number;
  /** Uid to pass to the next round as `after`. The next round begins with the users after this uid. */
  readonly after: string;
}

/** Reads one text of each user, for the next `limit` users with texts in `search_late`. */
const nextTexts = (sql: Sql, after: string, limit: number) => sql<LateText[]>`
  with recursive users as (
    (select uid, 1 as place from search_late where failures < ${mostFailures} and uid > ${after} order by uid limit 1)
    union all
    select (select uid from search_late where failures < ${mostFailures} and uid > u.uid order by uid limit 1), place + 1
    from users u where u.uid is not null and place < ${limit})
  select t.uid, t.kind, t.id from users u cross join lateral (
    select uid, kind, id from search_late where uid = u.uid and failures < ${mostFailures} order by failures limit 1) as t
  order by u.place`;

/**
 * Checks whether a statement failed although the database is reachable, so that the cause is the row it writes. The
 * caller can then still process other rows.
 */
export const isOwnFailure = (error: unknown): boolean => isTimeout(error) || !isDatabaseAway(error);

/** Indexes the words of one text. @returns `held` when another transaction has locked the record or its text */
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
 * Indexes the words of texts that were not indexed when they were stored, because the indexing time of their
 * transaction had run out. Each text has its own transaction. Users take turns. A failing text is skipped, and given up
 * after `mostFailures` failures. Its record is then found only by vector search. When several processes call this
 * function, no two of them index the same text at the same time.
 * @param limit maximum number of users in a round. The round indexes one text of each user.
 * @param after `after` of the previous round; empty for the first round.
 * @throws StatementError or postgres.js's error when the database is unreachable.
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
