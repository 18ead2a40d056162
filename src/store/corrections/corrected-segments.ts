import { firstRow, type TransactionSql } from '../client/index.js';

/**
 * Returns SQL assignments that mark a segment as corrected, so that automatic writes no longer change it. The first
 * correction also stores the number of words that the engine had written. If the engine later writes more words, the
 * additional words become a separate segment.
 * @param row prefix of the segment's columns.
 */
export const corrected = (row = ''): string => `
  by_user = true, corrections = ${row}corrections + 1, revision = ${row}revision + 1,
  written_words = coalesce(${row}written_words, cardinality(string_to_array(${row}text, ' ')))`;

/** A segment that this transaction has locked. */
export interface LockedSegment {
  readonly text: string;
  readonly revision: number;
}

/** Locks a segment of a conversation that this transaction has locked. Null when there is no such segment. */
export const lockSegment = (
  sql: TransactionSql,
  conversationId: string,
  id: string,
): Promise<LockedSegment | null> =>
  firstRow(sql<LockedSegment[]>`
    select text, revision from segments
    where conversation_id = ${conversationId} and id = ${id} and not deleted for update`);

/** Replaces the text of a locked segment. Its translations are removed, because they belong to the earlier text. */
export const correctText = async (
  sql: TransactionSql,
  conversationId: string,
  id: string,
  text: string,
): Promise<void> => {
  await sql`
    update segments set text = ${text}, translations = '[]', ${sql.unsafe(corrected())}
    where conversation_id = ${conversationId} and id = ${id}`;
};

/** Returns the number of characters in the texts of a conversation. */
export const charactersOf = async (sql: TransactionSql, conversationId: string): Promise<number> => {
  const [row] = await sql<{ characters: number }[]>`
    select coalesce(sum(length(text)), 0)::double precision as characters from segments
    where conversation_id = ${conversationId} and not deleted`;
  return row!.characters;
};
