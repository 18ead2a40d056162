import type { Sql } from '../client/index.js';

/** Characters that a text counts as at least, so that many tiny ones are bounded, too. */
export const leastCounted = 20;

/**
 * The texts of the segments of conversations, in their order, from the beginning of each up to some characters.
 * @param characters of a conversation; each text counts as `leastCounted` at least. The last text may pass them.
 * @returns an entry for each id that names a conversation.
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
