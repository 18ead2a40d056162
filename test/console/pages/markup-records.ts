/** Stores payloads of markup in every text that the console shows. */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../src/store/client/database.js';
import { storedPayloads } from '../../support/texts/markup-payloads.js';

export interface HostileRecords {
  /** A conversation with a payload in each segment, speaker, task, memory and photo. */
  readonly full: string;
  /** A conversation whose title changes in the test. */
  readonly titled: string;
}

const structured = (title: string, tasks: readonly string[] = []) => ({
  title,
  overview: tasks.join('\n'),
  emoji: '',
  category: 'other',
  action_items: tasks.map((description) => ({
    description,
    completed: false,
    created_at: '2026-03-02T09:30:00Z',
    updated_at: '2026-03-02T09:30:00Z',
    due_at: null,
    completed_at: null,
    conversation_id: null,
  })),
  events: [],
});

/** Stores records of a user: for each payload, one record of each type. */
export const storeHostileRecords = async (sql: Sql, uid: string): Promise<HostileRecords> => {
  const [full, titled] = [randomUUID(), randomUUID()];
  const insert = async (id: string, status: string, source: string, value: object): Promise<void> => {
    await sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, structured)
      values (${id}, ${uid}, ${status}, ${source}, now(), now(), now(), ${sql.json(value as never)})`;
  };
  await insert(full, 'completed', 'phone', structured('Full', storedPayloads));
  await insert(titled, 'completed', 'phone', structured('Titled'));
  for (const text of storedPayloads) {
    await insert(randomUUID(), 'completed', 'phone', structured(text));
    await insert(randomUUID(), 'in_progress', text, structured(''));
  }
  for (const [at, text] of storedPayloads.entries()) {
    const person = randomUUID();
    await sql`
      insert into people (id, uid, name, created_at, updated_at) values (${person}, ${uid}, ${text}, now(), now())`;
    await sql`
      insert into folders (id, uid, name, color, icon, position, is_system, created_at, updated_at)
      values (gen_random_uuid(), ${uid}, ${text}, '#000000', 'f', ${at}, false, now(), now())`;
    await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, person_id, start_seconds, end_seconds)
      values (gen_random_uuid(), ${full}, ${at}, 1, ${text}, 'SPEAKER_00', ${at}, false, ${person}, ${at}, ${at + 1})`;
    await sql`
      insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, conversation_id, created_at, updated_at)
      values (gen_random_uuid(), ${uid}, ${text}, 'other', 'private', false, false, 'a', ${full}, now(), now())`;
    await sql`
      insert into api_keys (id, uid, family, name, hashed_key, key_prefix, scopes, last_used_at)
      values (gen_random_uuid(), ${uid}, ${at % 2 === 0 ? 'dev' : 'mcp'}, ${text.trim()}, ${`hash-${at}`}, 'svc_dev_0000...0000', '{}', now())`;
    await sql`
      insert into photos (id, conversation_id, uid, place, file, content_type, bytes, description, described_at)
      values (gen_random_uuid(), ${full}, ${uid}, 'here', gen_random_uuid(), 'image/gif', 1, ${text}, now())`;
  }
  return { full, titled };
};
