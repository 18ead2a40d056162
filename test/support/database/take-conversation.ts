import type { Sql } from '../../../src/store/client/database.js';
import { takeConversations } from '../../../src/store/live/take-conversations.js';
import type { TakenConversation } from '../../../src/store/live/taken-conversation.js';
import type { BegunConversation } from '../../../src/wire/spill/spill.js';

/** Opens or takes over the conversation of one stream. @returns null if the account of the user is deleted. */
export const takeConversation = async (
  sql: Sql,
  begun: BegunConversation,
  holder: string,
  readsVoices = false,
): Promise<TakenConversation | null> =>
  (await takeConversations(sql, [{ begun, proposed: null, readsVoices }], holder))[0]!;
