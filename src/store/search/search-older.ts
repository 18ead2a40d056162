import type { Sql, TransactionSql } from '../client/index.js';
import { isOwnFailure } from './search-late.js';

/**
 * Factor by which a round scans more conversations while it indexes only conversations with a supplied text, because
 * few conversations have one.
 */
const looks = 50;

type Round = 'worked' | 'idle' | 'done';

/**
 * Function that indexes conversations, or leaves them to `indexLateTexts`. The transaction has locked the
 * conversations.
 */
type IndexSome = (transaction: TransactionSql, ids: readonly string[]) => Promise<unknown>;

const indexWords: IndexSome = (transaction, ids) =>
  transaction`select search_put_conversation(id) from unnest(${ids as string[]}::uuid[]) as id`;

/** Leaves the words of conversations to `indexLateTexts`. */
const leaveWords: IndexSome = (transaction, ids) =>
  transaction`select search_leave_conversation(id) from unnest(${ids as string[]}::uuid[]) as id`;

const indexNext = (sql: Sql, limit: number, index: IndexSome): Promise<Round> =>
  sql.begin(async (transaction) => {
    const [place] = await transaction<
      { after: string; only_texts: boolean }[]
    >`select after, only_texts from search_older for update skip locked`;
    if (!place) {
      const [left] = await transaction`select 1 from search_older`;
      return left ? 'idle' : 'done';
    }
    const { after, only_texts: texts } = place;
    const [looked] = await transaction<{ last: string }[]>`
      select id as last from (
        select id from conversations where id > ${after} order by id limit ${texts ? limit * looks : limit}) as part
      order by id desc limit 1`;
    if (!looked) {
      await transaction`delete from search_older`;
      return 'done';
    }
    const { last } = looked;
    const found = await transaction<{ id: string }[]>`
      select id from conversations
      where id > ${after} and id <= ${last} and structured is not null and not discarded and deleted_at is null
        and (not ${texts}::boolean or external_data->>'text' is not null)
      order by id for share`;
    await index(
      transaction,
      found.map(({ id }) => id),
    );
    await transaction`update search_older set after = ${last}`;
    return 'worked';
  }) as Promise<Round>;

/**
 * Indexes the next older conversations in one transaction. These conversations were stored before the search existed,
 * or before it covered supplied texts. When several processes call this function, one works and the other processes get
 * `idle`. Each conversation is locked while it is indexed, so that its text cannot change meanwhile.
 *
 * If indexing fails although the database is reachable, the words are left to `indexLateTexts`, which indexes each
 * conversation separately. So one conversation does not block the others.
 * @returns `idle` when another process is working.
 */
export const indexOlderConversations = (sql: Sql, limit: number): Promise<Round> =>
  indexNext(sql, limit, indexWords).catch((error: unknown) => {
    if (!isOwnFailure(error)) throw error;
    return indexNext(sql, limit, leaveWords);
  });
