/** Random sequences of splits and merges lose and double nothing, and the search finds each word where it is. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { mergeConversationsOf } from '../../../src/service/corrections/merge-conversations.js';
import { splitConversation } from '../../../src/service/corrections/split-conversation.js';
import { insertSegments } from '../../../src/store/segments/segments.js';
import { testDatabase } from '../../support/database/database.js';
import { saidSegment } from '../../support/texts/said-segment.js';

const begun = Date.parse('2026-03-02T10:00:00Z');
const moment = (seconds: number): Date => new Date(begun + seconds * 1000);

/** A conversation begins at this second, and has a segment at each of these seconds. */
interface Given {
  readonly at: number;
  readonly said: readonly number[];
}

type Step =
  | { readonly kind: 'split'; readonly conversation: number; readonly segment: number }
  | { readonly kind: 'merge'; readonly conversations: readonly number[] };

const givens = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 600 }),
    said: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('split' as const), conversation: fc.nat(9), segment: fc.nat(9) }),
    fc.record({
      kind: fc.constant('merge' as const),
      conversations: fc.array(fc.nat(9), { minLength: 2, maxLength: 4 }),
    }),
  ),
  { minLength: 1, maxLength: 8 },
);

t.test('splits and merges in any order', { timeout: 300_000 }, async (t) => {
  const { sql } = await testDatabase(t);
  let users = 0;

  /** Stores conversations. Each segment has a word of its own, a photo, and a task and a memory that name the word. */
  const store = async (conversations: readonly Given[]): Promise<string> => {
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
          values (gen_random_uuid(), ${id}, ${uid}, 'p', ${word}, 'image/png', 1, ${moment(at + second)})`;
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
  const listed = async (uid: string): Promise<string[]> =>
    (
      await sql<{ id: string }[]>`
        select id from conversations where uid = ${uid} and not discarded and merged_into is null order by created_at, id`
    ).map(({ id }) => id);
  const rowsOf = async (uid: string) => {
    const ids = await listed(uid);
    const said = await sql<{ conversation_id: string; text: string; at: number; speaker_id: number }[]>`
      select s.conversation_id, s.text, s.speaker_id,
        round(extract(epoch from c.started_at) + s.start_seconds)::integer as at
      from segments s join conversations c on c.id = s.conversation_id
      where c.uid = ${uid} and not s.deleted order by s.text`;
    const photos = await sql<{ conversation_id: string; file: string }[]>`
      select conversation_id, file from photos where uid = ${uid} order by file`;
    const tasks = await sql<{ conversation_id: string; text: string }[]>`
      select conversation_id, description as text from action_items where uid = ${uid} order by description`;
    const memories = await sql<{ conversation_id: string; text: string }[]>`
      select conversation_id, content as text from memories where uid = ${uid} order by content`;
    const [usage] = await sql`
      select sum(seconds)::integer as seconds, sum(words)::integer as words from speech_usage where uid = ${uid}`;
    return { ids, said, photos, tasks, memories, usage };
  };
  const take = async (uid: string, step: Step): Promise<void> => {
    const ids = await listed(uid);
    if (step.kind === 'merge') {
      const named = [...new Set(step.conversations.map((at) => ids[at % ids.length]!))];
      if (named.length > 1) await mergeConversationsOf(sql, uid, named);
      return;
    }
    const id = ids[step.conversation % ids.length]!;
    const segments = await sql<{ id: string }[]>`
      select id from segments where conversation_id = ${id} and not deleted order by position, id`;
    if (segments.length < 2) return;
    await splitConversation(sql, uid, id, segments[1 + (step.segment % (segments.length - 1))]!.id);
  };

  await fc.assert(
    fc.asyncProperty(givens, steps, async (conversations, sequence) => {
      const uid = await store(conversations);
      const before = await rowsOf(uid);
      for (const step of sequence) await take(uid, step);
      const after = await rowsOf(uid);
      const ids = new Set(after.ids);
      const wordOf = (text: string): string => /word\d+x/.exec(text)![0];
      const places = new Map(after.said.map((row) => [wordOf(row.text), row.conversation_id]));
      t.same(
        after.said.map(({ text, at }) => [text, at]),
        before.said.map(({ text, at }) => [text, at]),
        'the same words at the same times',
      );
      t.same(
        after.photos.map(({ file }) => file),
        before.photos.map(({ file }) => file),
      );
      t.same(
        after.tasks.map(({ text }) => text),
        before.tasks.map(({ text }) => text),
      );
      t.same(
        after.memories.map(({ text }) => text),
        before.memories.map(({ text }) => text),
      );
      t.same(after.usage, before.usage, 'the same usage');
      for (const row of [...after.said, ...after.photos, ...after.tasks, ...after.memories])
        t.ok(ids.has(row.conversation_id), 'in a conversation that is listed');
      for (const { text, conversation_id } of [...after.tasks, ...after.memories])
        t.equal(conversation_id, places.get(wordOf(text)), 'tasks and memories are with their words');
      for (const id of ids) {
        const [{ tasks, ordered } = { tasks: [], ordered: false }] = await sql<
          { tasks: string[]; ordered: boolean }[]
        >`
          select (select coalesce(json_agg(item->>'description' order by item->>'description'), '[]')
              from jsonb_array_elements(c.structured->'action_items') as item) as tasks,
            (select coalesce(bool_and(start_seconds >= before), true) from (
              select start_seconds, lag(start_seconds) over (order by position, id) as before
              from segments where conversation_id = c.id and not deleted) as said) as ordered
          from conversations c where id = ${id}`;
        t.same(
          tasks,
          after.tasks.filter((row) => row.conversation_id === id).map(({ text }) => text),
        );
        t.ok(ordered, 'segments are ordered by time');
      }
      for (const [word, id] of places) {
        const found = await sql`
          select id from search_texts
          where uid = ${uid} and kind = 'conversation' and words @@ to_tsquery('english', ${word})`;
        t.same(
          found.map((row) => row.id),
          [id],
          `${word} is found where it is`,
        );
      }
    }),
    { numRuns: 40 },
  );
});
