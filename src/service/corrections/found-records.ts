import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { replaceStructuredItems } from '../../store/conversations/index.js';
import { foundIn, isReadable, moveFound } from '../../store/corrections/index.js';
import { actionItemRows, memoriesOfConversation } from '../../store/records/index.js';
import { summarisedItem } from '../records/index.js';
import { tokensOf } from '../structure/language/index.js';

const tables = ['action_items', 'memories'] as const;

/** Writes the tasks of a conversation into its summary. */
export const summariseTasks = async (sql: TransactionSql, uid: string, id: string): Promise<void> => {
  const ids = (await foundIn(sql, 'action_items', uid, id)).map((item) => item.id);
  const rows = new Map(
    (await actionItemRows.byIds(sql as unknown as Sql, uid, ids)).map((row) => [row.id, row]),
  );
  const items = ids.flatMap((itemId) => rows.get(itemId) ?? []).map(summarisedItem);
  await replaceStructuredItems(sql, id, items);
};

/**
 * Moves tasks and memories of a conversation to another conversation. `belongs` returns true for the texts of the
 * records to move.
 */
export const moveSelected = async (
  sql: TransactionSql,
  uid: string,
  id: string,
  to: string,
  belongs: (text: string) => boolean,
): Promise<void> => {
  for (const table of tables) {
    const moved = (await foundIn(sql, table, uid, id)).filter(({ text }) => belongs(text));
    const ids = moved.map((record) => record.id);
    await moveFound(sql, table, uid, ids, to);
  }
};

/** Moves all tasks and memories of a conversation to another conversation. */
export const moveAllFound = (sql: TransactionSql, uid: string, id: string, to: string): Promise<void> =>
  moveSelected(sql, uid, id, to, () => true);

/**
 * Divides the tasks and memories of a split conversation. A record moves to the second part if more of its words occur
 * there than in the first part. Otherwise it stays in the first part.
 * @param first words of the first part, as `tokensOf` returns them.
 * @param second words of the second part.
 */
export const divideFound = (
  sql: TransactionSql,
  uid: string,
  { id, first }: { readonly id: string; readonly first: ReadonlySet<string> },
  { to, second }: { readonly to: string; readonly second: ReadonlySet<string> },
): Promise<void> =>
  moveSelected(sql, uid, id, to, (text) => {
    const words = [...new Set(tokensOf(text))];
    const countIn = (part: ReadonlySet<string>): number => words.filter((word) => part.has(word)).length;
    return countIn(second) > countIn(first);
  });

/** A memory that was found in a conversation, as its user sees it. */
export interface FoundMemory {
  readonly id: string;
  readonly content: string;
}

/**
 * Returns the memories that were found in a conversation, newest first. Hidden memories are left out.
 * @throws CochleaError `conversation_not_found`, also for a locked conversation
 */
export const listFoundMemories = async (sql: Sql, uid: string, id: string): Promise<FoundMemory[]> => {
  if (!(await isReadable(sql, uid, id))) throw new CochleaError('conversation_not_found');
  const rows = await memoriesOfConversation(sql, uid, id);
  return rows.filter((row) => row.is_shown).map(({ id: memory, content }) => ({ id: memory, content }));
};
