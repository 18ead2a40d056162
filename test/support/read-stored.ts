import type { ConversationRecord } from '../../src/store/conversation-record.js';
import { readConversation } from '../../src/store/conversations.js';
import type { Sql } from '../../src/store/database.js';

/** A conversation as its user reads it; null when it is unknown or deleted. */
export const readStored = async (sql: Sql, id: string): Promise<ConversationRecord | null> => {
  const [row] = await sql<{ uid: string }[]>`select uid from conversations where id = ${id}`;
  return row ? readConversation(sql, row.uid, id) : null;
};
