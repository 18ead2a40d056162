import type { Sql } from '../../src/store/client/database.js';
import type { StoredConversation } from './judge.js';
import { tokensIn } from './token-words.js';

/** Reads all conversations with their tokens, in the order of their start. Deleted segments do not count. */
export const storedTokens = async (sql: Sql): Promise<StoredConversation[]> => {
  const rows = await sql<{ id: string; uid: string; text: string }[]>`
    select conversations.id, uid, string_agg(text, ' ' order by start_seconds, position) as text
    from segments join conversations on conversations.id = conversation_id
    where not deleted group by conversations.id order by conversations.started_at`;
  return rows.map(({ id, uid, text }) => ({ id, uid, tokens: tokensIn(text) }));
};
