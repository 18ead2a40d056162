import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import { conversationState, lockConversation } from '../../store/conversations/index.js';
import { requestSteps } from '../../store/jobs/index.js';

/**
 * Queues a conversation to be processed again: first its summary, then all following steps. The conversation stays
 * unchanged until these steps run. The steps keep the user's own changes, and do not count goal progress again.
 * @throws CochleaError `conversation_not_found`, `locked`, `conversation_unfinished`
 */
export const reprocessConversation = async (sql: Sql, uid: string, id: string): Promise<void> => {
  await sql.begin(async (transaction) => {
    const row = await lockConversation(transaction, uid, id);
    if (!row) throw new CochleaError('conversation_not_found');
    if (row.is_locked) throw new CochleaError('locked', { kind: 'conversation' });
    if ((await conversationState(transaction, row.id)) !== 'completed') {
      throw new CochleaError('conversation_unfinished');
    }
    await requestSteps(transaction, uid, row.id, [{ step: 'structure', again: true }]);
  });
};
