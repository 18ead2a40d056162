import type { Sql } from './database.js';

/**
 * Indexes the next conversations that were stored before there was a search, in one transaction. Of several processes one works,
 * the others find nothing to do. A conversation is locked while it is read, so that no older text replaces a newer one.
 * @returns `busy` when another process is at it.
 */
export const indexOlderConversations = (sql: Sql, limit: number): Promise<'indexed' | 'busy' | 'done'> =>
  sql.begin(async (transaction) => {
    const [place] = await transaction<
      { after: string }[]
    >`select after from search_older for update skip locked`;
    if (!place) {
      const [left] = await transaction`select 1 from search_older`;
      return left ? 'busy' : 'done';
    }
    const page = await transaction<{ id: string }[]>`
      select id from conversations
      where id > ${place.after} and structured is not null and not discarded and deleted_at is null
      order by id limit ${limit} for share`;
    const last = page.at(-1);
    if (!last) {
      await transaction`delete from search_older`;
      return 'done';
    }
    await transaction`
      select search_put_conversation(id) from unnest(${page.map(({ id }) => id)}::uuid[]) as id`;
    await transaction`update search_older set after = ${last.id}`;
    return 'indexed';
  }) as Promise<'indexed' | 'busy' | 'done'>;
