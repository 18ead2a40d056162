import { isDatabaseAway, isTimeout, type Sql } from '../client/index.js';

/** Attempts at indexing the words of a text before it is given up. */
export const mostFailures = 3;

/** Most ms that indexing one text may take in the background. */
const longest = 10_000;

interface LateText {
  readonly uid: string;
  readonly kind: string;
  readonly id: string;
}

/** Result of a round. */
export interface LateRound {
  readonly went: 'worked' | 'idle';
  /** Texts given up in this round because their words cannot be indexed. */
  readonly given: number;
  /** The next round begins after this user. */
  readonly after: string;
}

/** One text of each of the next users with listed texts. */
const nextTexts = (sql: Sql, after: string, limit: number) => sql<LateText[]>`
  with recursive users as (
    (select uid, 1 as place from search_late where failures < ${mostFailures} and uid > ${after} order by uid limit 1)
    union all
    select (select uid from search_late where failures < ${mostFailures} and uid > u.uid order by uid limit 1), place + 1
    from users u where u.uid is not null and place < ${limit})
  select t.uid, t.kind, t.id from users u cross join lateral (
    select uid, kind, id from search_late where uid = u.uid and failures < ${mostFailures} order by failures limit 1) as t
  order by u.place`;

/** Whether a statement failed because of its own row. Other rows may then be processed. */
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
 * Indexes the words of texts that their own transactions had no time for. Each text has its own transaction; users take
 * turns. A failing text is counted and skipped, and given up after `mostFailures`. Its record is then found only by
 * vector search. Of several processes one indexes each text.
 * @param limit users of a round; it indexes one text of each.
 * @param after `after` of the round before; empty for the first one.
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
