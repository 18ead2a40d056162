import type { Sql } from '../client/index.js';

/**
 * Minimum number of characters that each text counts as, so that a limit on characters also limits the number of very
 * short texts.
 */
export const leastCounted = 20;

/**
 * Reads the first texts of conversations' segments, in order, up to a number of characters for each conversation.
 * @param characters maximum number of characters for each conversation. A shorter text counts as `leastCounted`
 *   characters. The last text may exceed the limit.
 * @returns an entry for each id of an existing conversation.
 */
export const saidTexts = async (
  sql: Sql,
  ids: readonly string[],
  characters: number,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await sql<{ id: string; texts: string[] }[]>`
    select c.id, said.texts
    from conversations c cross join lateral (
      select coalesce(json_agg(text order by position, id) filter (where begins < ${characters}), '[]') as texts
      from (
        select text, position, id,
          sum(counted) over (order by position, id rows unbounded preceding) - counted as begins
        from (
          select text, position, id, greatest(${leastCounted}, length(text)) as counted from segments
          where conversation_id = c.id and not deleted
          order by position, id limit ${Math.ceil(characters / leastCounted)}) as first) as s) as said
    where c.id = any(${ids as string[]}::uuid[])`;
  return new Map(rows.map(({ id, texts }) => [id, texts]));
};
