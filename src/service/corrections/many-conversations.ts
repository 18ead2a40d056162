import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { changeConversation, lockConversation, removeConversation } from '../../store/conversations/index.js';
import { holdFolder } from '../../store/records/index.js';

/** What to do with each of several conversations. A null folder takes each conversation out of its folder. */
export type CommonChange =
  | { readonly action: 'delete' }
  | { readonly action: 'move'; readonly folder_id: string | null }
  | { readonly action: 'star'; readonly starred: boolean };

/**
 * The result for one conversation. `absent`: the user has no such conversation. `locked`: the user's plan excludes it.
 */
export type CommonResult = 'done' | 'absent' | 'locked';

/** Maximum number of conversations that one request changes. */
export const manyBounds = { conversations: 100 } as const;

const changeOne = async (
  sql: TransactionSql,
  uid: string,
  id: string,
  change: CommonChange,
): Promise<void> => {
  if (change.action === 'delete') return removeConversation(sql, id);
  if (change.action === 'star') return changeConversation(sql, id, { starred: change.starred });
  const { folder_id } = change;
  if (folder_id !== null && !(await holdFolder(sql, uid, folder_id)))
    throw new CochleaError('record_not_found', { kind: 'Folder' });
  return changeConversation(sql, id, { folder_id });
};

/**
 * Changes several conversations in the same way, each in a transaction of its own.
 * @returns one result for each id, in the order of `ids`.
 * @throws CochleaError `record_not_found` for an unknown folder.
 */
export const changeConversations = async (
  sql: Sql,
  uid: string,
  ids: readonly string[],
  change: CommonChange,
): Promise<readonly { readonly id: string; readonly result: CommonResult }[]> => {
  const results = new Map<string, CommonResult>();
  for (const id of new Set(ids)) {
    const result = await sql.begin(async (transaction): Promise<CommonResult> => {
      const row = await lockConversation(transaction, uid, id);
      if (row === null) return 'absent';
      if (row.is_locked) return 'locked';
      await changeOne(transaction, uid, row.id, change);
      return 'done';
    });
    results.set(id, result as CommonResult);
  }
  return ids.map((id) => ({ id, result: results.get(id)! }));
};
