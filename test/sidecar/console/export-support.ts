/** Makes many conversations for tests of exports, and reads exports. */
import type { Sql } from '../../../src/store/client/database.js';
import { type Api, consoleHeaders, consoleSession } from '../support.js';

/** Stores finished conversations with one segment each. */
export const makeConversations = async (sql: Sql, uid: string, count: number): Promise<void> => {
  await sql`
    with made as (
      insert into conversations (id, uid, status, source, created_at, started_at, finished_at, last_speech_at, structured)
      select gen_random_uuid(), ${uid}, 'completed', 'phone', at, at, at + interval '3 s', at + interval '3 s',
        jsonb_build_object('title', 'Talk ' || n, 'overview', '', 'emoji', '', 'category', 'other', 'action_items', '[]'::jsonb, 'events', '[]'::jsonb)
      from generate_series(1, ${count}) n, lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) as times
      returning id, created_at)
    insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
    select gen_random_uuid(), id, 0, 1, 'Words of ' || created_at || repeat(' and more words', 20), 'SPEAKER_00', 0, false, 0, 3 from made`;
};

/** Adds segments of a second each to a conversation. */
export const makeSegments = async (sql: Sql, id: string, count: number): Promise<void> => {
  await sql`
    insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
    select gen_random_uuid(), ${id}, n, 1, 'Sentence number ' || n || ' of a long day with <b>markup</b>, "quotes" and words.',
      'SPEAKER_0' || n % 3, n % 3, false, n, n + 0.9
    from generate_series(1, ${count}) n`;
};

/** Returns a function that reads addresses of the console in a session of a user. */
export const sessionOf = async (api: Api, uid: string): Promise<(path: string) => Promise<Response>> => {
  const headers = consoleHeaders(api, await consoleSession(api.sql, uid));
  return (path) => fetch(`${api.base}/console/api/${path}`, { headers });
};
