import type { Sql } from '../../store/client/index.js';
import { type LiveConversationRow, liveConversationsOf } from '../../store/conversations/index.js';
import { momentOf } from '../../store/segments/index.js';

/**
 * Maximum number of conversations in the list. A user rarely has more than one conversation in progress for each
 * device.
 */
const mostListed = 100;

/** A conversation in progress, in the form that clients receive. */
export type LiveConversation = LiveConversationRow;

/** Returns the user's conversations in progress at all engines, newest first. */
export const listLiveConversations = async (sql: Sql, uid: string): Promise<LiveConversation[]> =>
  (await liveConversationsOf(sql, uid, mostListed)).map((row) => ({
    ...row,
    started_at: row.started_at && momentOf(row.started_at),
    last_speech_at: momentOf(row.last_speech_at),
  }));
