/** Random sequences of splits and merges lose and double nothing, and the search finds each word where it is. */
import fc from 'fast-check';
import t from 'tap';
import { mergeConversationsOf } from '../../../src/service/corrections/merge-conversations.js';
import { splitConversation } from '../../../src/service/corrections/split-conversation.js';
import { testDatabase } from '../../support/database/database.js';
import { type Division, division, givens, storeTalks } from './stored-talks.js';

const steps = fc.array(division, { minLength: 1, maxLength: 8 });

t.test('splits and merges in any order', { timeout: 300_000 }, async (t) => {
  const { sql } = await testDatabase(t);

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
  const take = async (uid: string, step: Division): Promise<void> => {
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
      const uid = await storeTalks(sql, conversations);
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
