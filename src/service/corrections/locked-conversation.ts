import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { conversationState, lockConversation, lockLateWords } from '../../store/conversations/index.js';

/**
 * Locks a completed conversation of a user for a correction. The caller holds `lockLateWords`.
 * @returns the id in the form of the database.
 * @throws CochleaError `conversation_not_found`, `locked`, `conversation_unfinished`
 */
export const lockCompleted = async (sql: TransactionSql, uid: string, id: string): Promise<string> => {
  const row = await lockConversation(sql, uid, id);
  // A conversation that was merged into another is no longer listed. Words that are added to its row would not be
  // shown, and would be deleted together with the other conversation.
  if (row === null || row.merged_into !== null) throw new CochleaError('conversation_not_found');
  if (row.is_locked) throw new CochleaError('locked', { kind: 'conversation' });
  // An engine may still change the transcript of a conversation that is not completed.
  if ((await conversationState(sql, row.id)) !== 'completed')
    throw new CochleaError('conversation_unfinished');
  return row.id;
};

/**
 * Corrects a completed conversation of a user in one transaction. Other corrections of the user wait until it ends.
 * Storing words for a conversation that has already ended also waits.
 * @throws CochleaError like `lockCompleted`
 */
export const correctConversation = async <Result>(
  sql: Sql,
  uid: string,
  id: string,
  correct: (transaction: TransactionSql, id: string) => Promise<Result>,
): Promise<Result> =>
  (await sql.begin(async (transaction) => {
    await lockLateWords(transaction, uid);
    return correct(transaction, await lockCompleted(transaction, uid, id));
  })) as Result;
