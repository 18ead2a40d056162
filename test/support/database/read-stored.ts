import type { Sql } from '../../../src/store/client/database.js';
import { readConversation } from '../../../src/store/conversations/conversations.js';
import type { ConversationRecord } from '../../../src/store/record/conversation-record.js';

/** Returns a conversation as its user reads it; null if the conversation is unknown or deleted. */
export const readStored = async (sql: Sql, id: string): Promise<ConversationRecord | null> => {
  const [row] = await sql<{ uid: string }[]>`select uid from conversations where id = ${id}`;
  return row ? readConversation(sql, row.uid, id) : null;
};
