import type { Sql } from '../client/index.js';
import { jsonRows } from '../segments/index.js';

/** A conversation in progress. Its times are texts, as PostgreSQL writes times in JSON. */
export interface LiveConversationRow {
  readonly id: string;
  readonly source: string;
  readonly language: string;
  readonly started_at: string | null;
  readonly last_speech_at: string;
}

/** Returns the user's newest conversations in progress at all engines, newest first. */
export const liveConversationsOf = (sql: Sql, uid: string, limit: number): Promise<LiveConversationRow[]> =>
  jsonRows<LiveConversationRow>(sql)`
    select id, source, language, started_at, last_speech_at from conversations
    where uid = ${uid} and status = 'in_progress' and deleted_at is null and not is_locked
    order by created_at desc, id desc limit ${limit}`;
