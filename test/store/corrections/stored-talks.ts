import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createUser } from '../../../src/identity/users.js';
import type { Sql } from '../../../src/store/client/database.js';
import { insertSegments } from '../../../src/store/segments/segments.js';
import { saidSegment } from '../../support/texts/said-segment.js';

const begun = Date.parse('2026-03-02T10:00:00Z');
const moment = (seconds: number): Date => new Date(begun + seconds * 1000);

/**
 * Times of a conversation in seconds. It begins at `at`, and a segment follows after each number of seconds in `said`.
 */
export interface Given {
  readonly at: number;
  readonly said: readonly number[];
}

/** A few conversations of one user. */
export const givens = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 600 }),
    said: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** A random split or merge of conversations, which are selected by their position in the list. */
export type Division =
  | { readonly kind: 'split'; readonly conversation: number; readonly segment: number }
  | { readonly kind: 'merge'; readonly conversations: readonly number[] };

export const division: fc.Arbitrary<Division> = fc.oneof(
  fc.record({ kind: fc.constant('split' as const), conversation: fc.nat(9), segment: fc.nat(9) }),
  fc.record({
    kind: fc.constant('merge' as const),
    conversations: fc.array(fc.nat(9), { minLength: 2, maxLength: 4 }),
  }),
);

let users = 0;

/**
 * Stores conversations of a new user. Each segment has a word of its own, a photo, and a task and a memory that name the word.
 * @returns the uid
 */
export const storeTalks = async (sql: Sql, conversations: readonly Given[]): Promise<string> => {
  const { uid } = await createUser(sql, { uid: `user-${++users}`, name: 'Ann' });
  let words = 0;
  for (const { at, said } of conversations) {
    const id = randomUUID();
    await sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, finished_at, structured)
      values (${id}, ${uid}, 'completed', 'phone', ${moment(at)}, ${moment(at)}, ${moment(at + 305)}, ${moment(at + 305)},
        '{"title": "Talk", "overview": "", "emoji": "", "category": "other", "action_items": [], "events": []}')`;
    const segments = said.toSorted((one, other) => one - other);
    const named = segments.map((second) => ({ second, word: `word${++words}x` }));
    await insertSegments(
      sql,
      id,
      named.map(({ second, word }, index) =>
        saidSegment(`${word} common`, {
          id: `${index}`,
          start: second,
          end: second + 4,
          speaker: `SPEAKER_0${index % 2}`,
          speaker_id: index % 2,
          stt_provider: 'local',
        }),
      ),
    );
    for (const { second, word } of named) {
      await sql`
        insert into photos (id, conversation_id, uid, place, file, content_type, bytes, created_at)
        values (gen_random_uuid(), ${id}, ${uid}, 'p', ${`${uid} ${word}`}, 'image/png', 1, ${moment(at + second)})`;
      await sql`
        insert into action_items (id, uid, description, completed, conversation_id, created_at, updated_at)
        values (gen_random_uuid(), ${uid}, ${`Do ${word}`}, false, ${id}, now(), now())`;
      await sql`
        insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, conversation_id,
          created_at, updated_at)
        values (gen_random_uuid(), ${uid}, ${`Knows ${word}`}, 'other', 'private', false, false, 'a', ${id}, now(), now())`;
    }
    await sql`
      update conversations set structured = jsonb_set(structured, '{action_items}', (
        select jsonb_agg(jsonb_build_object('description', description)) from action_items where conversation_id = ${id}))
      where id = ${id}`;
    await sql`
      insert into speech_usage (conversation_id, uid, day, provider, seconds, words)
      values (${id}, ${uid}, '2026-03-02', 'local', ${4 * said.length}, ${2 * said.length})`;
  }
  return uid;
};
