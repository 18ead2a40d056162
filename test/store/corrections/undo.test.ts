/** Tests the undo of splits and merges: the restored state, refusals if something would be lost, and the limits. */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { mergeConversationsOf } from '../../../src/service/corrections/merge-conversations.js';
import { nameSpeakerOf } from '../../../src/service/corrections/named-speakers.js';
import { splitConversation } from '../../../src/service/corrections/split-conversation.js';
import { undoChange } from '../../../src/service/corrections/undo-change.js';
import type { Sql } from '../../../src/store/client/database.js';
import { removeConversation } from '../../../src/store/conversations/conversations.js';
import { sweepUndoableChanges } from '../../../src/store/corrections/undoable-changes.js';
import { insertSegments } from '../../../src/store/segments/segments.js';
import { testDatabase } from '../../support/database/database.js';
import { saidSegment } from '../../support/texts/said-segment.js';
import { type Division, division, givens, storeTalks } from './stored-talks.js';

const listed = async (sql: Sql, uid: string): Promise<string[]> =>
  (
    await sql<{ id: string }[]>`
      select id from conversations where uid = ${uid} and deleted_at is null and merged_into is null order by created_at, id`
  ).map(({ id }) => id);

const segmentsOf = async (sql: Sql, id: string): Promise<string[]> =>
  (
    await sql<{ id: string }[]>`
      select id from segments where conversation_id = ${id} and not deleted order by position, id`
  ).map((row) => row.id);

/** Reads everything of a user that a split or a merge may change, without revisions and times of changes. */
const stateOf = async (sql: Sql, uid: string): Promise<string> => {
  const [row] = await sql<{ state: unknown }[]>`
    select jsonb_build_object(
      'conversations', (select jsonb_agg(jsonb_build_object('id', id, 'structured', structured, 'by', generated_by,
          'title', title_by_user, 'starred', starred, 'folder', folder_id, 'discarded', discarded, 'place', geolocation,
          'times', array[started_at, finished_at, last_speech_at]) order by id)
        from conversations where uid = ${uid} and deleted_at is null and merged_into is null),
      'segments', (select jsonb_agg(to_jsonb(s) - 'revision' - 'epoch' - 'corrections' order by s.conversation_id, s.position, s.id)
        from segments s join conversations c on c.id = s.conversation_id where c.uid = ${uid} and not s.deleted),
      'photos', (select jsonb_agg(to_jsonb(p) order by id) from photos p where uid = ${uid}),
      'tasks', (select jsonb_agg(to_jsonb(a) order by id) from action_items a where uid = ${uid}),
      'memories', (select jsonb_agg(to_jsonb(m) order by id) from memories m where uid = ${uid}),
      'usage', (select jsonb_agg(to_jsonb(u) order by conversation_id, day, provider) from speech_usage u where uid = ${uid}),
      'steps', (select jsonb_agg(jsonb_build_array(key, step, state, generated_by) order by key, step)
        from steps where uid = ${uid}),
      'search', (select jsonb_agg(jsonb_build_array(x.kind, x.id, x.at, x.words, v.made_of) order by x.kind, x.id)
        from search_texts x left join search_vectors v using (uid, kind, id) where x.uid = ${uid})) as state`;
  return JSON.stringify(row!.state, null, 1);
};

const steps = fc.array(
  fc.oneof(
    { arbitrary: division, weight: 2 },
    {
      // 0 is the last change.
      arbitrary: fc.record({
        kind: fc.constant('undo' as const),
        change: fc.oneof(fc.constant(0), fc.nat(5)),
      }),
      weight: 1,
    },
  ),
  { minLength: 1, maxLength: 9 },
);

interface Made {
  readonly undo: string;
  readonly before: string;
}

/** Does a random split or merge. @returns the change; null if the conversations allow none */
const divide = async (sql: Sql, uid: string, step: Division): Promise<string | null> => {
  const ids = await listed(sql, uid);
  if (step.kind === 'merge') {
    const named = [...new Set(step.conversations.map((at) => ids[at % ids.length]!))];
    return named.length > 1 ? (await mergeConversationsOf(sql, uid, named)).undo : null;
  }
  const id = ids[step.conversation % ids.length]!;
  const segments = await segmentsOf(sql, id);
  if (segments.length < 2) return null;
  return (await splitConversation(sql, uid, id, segments[1 + (step.segment % (segments.length - 1))]!)).undo;
};

/** Returns the words, photos, tasks and memories of a user, without the conversations that contain them. */
const belongings = async (sql: Sql, uid: string) => [
  ...(await sql`select s.text as one from segments s join conversations c on c.id = s.conversation_id
      where c.uid = ${uid} and not s.deleted and c.merged_into is null
    union all select file from photos where uid = ${uid} union all select description from action_items where uid = ${uid}
    union all select content from memories where uid = ${uid} order by one`),
];

t.test('random splits, merges and undos', { timeout: 500_000 }, async (t) => {
  const { sql } = await testDatabase(t);
  const counts = { undone: 0, refused: 0 };
  const undoAny = async (uid: string, changes: Made[], at: number): Promise<Made[]> => {
    const state = await stateOf(sql, uid);
    const change = changes[changes.length - 1 - at]!;
    try {
      await undoChange(sql, uid, change.undo);
    } catch (error) {
      t.match(error, { code: 'undo_refused' });
      t.ok(at > 0, 'the last change can be undone');
      t.equal(await stateOf(sql, uid), state, 'a refused undo changes nothing');
      counts.refused++;
      return changes;
    }
    counts.undone++;
    if (at === 0) t.equal(await stateOf(sql, uid), change.before, 'the exact state before');
    // After the undo of an earlier change, the recorded states before the other changes can no longer be restored.
    return at === 0 ? changes.slice(0, -1) : [];
  };
  await fc.assert(
    fc.asyncProperty(givens, steps, async (conversations, sequence) => {
      const uid = await storeTalks(sql, conversations);
      const all = await belongings(sql, uid);
      let changes: Made[] = [];
      for (const step of sequence) {
        if (step.kind === 'undo') {
          if (changes.length > 0) changes = await undoAny(uid, changes, step.change % changes.length);
        } else {
          const before = await stateOf(sql, uid);
          const undo = await divide(sql, uid, step);
          if (undo !== null) changes.push({ undo, before });
        }
        t.same(await belongings(sql, uid), all, 'nothing is lost or doubled');
      }
      while (changes.length > 0) changes = await undoAny(uid, changes, 0);
    }),
    { numRuns: 60 },
  );
  t.ok(counts.undone > 50, `${counts.undone} undone, ${counts.refused} refused`);
});

t.test('undo of one split and of one merge', async (t) => {
  const { sql } = await testDatabase(t);
  const talks = [
    { at: 0, said: [0, 10, 20] },
    { at: 100, said: [0, 10] },
  ];
  const splitOne = async () => {
    const uid = await storeTalks(sql, talks);
    const [id] = (await listed(sql, uid)) as [string];
    const before = await stateOf(sql, uid);
    const made = await splitConversation(sql, uid, id, '1');
    return { uid, id, other: made.id, undo: made.undo!, before };
  };
  const mergeTwo = async () => {
    const uid = await storeTalks(sql, talks);
    const [id, other] = (await listed(sql, uid)) as [string, string];
    await sql`update conversations set starred = true, title_by_user = 'Mine', geolocation = '{"latitude": 1}'
      where id = ${other}`;
    const before = await stateOf(sql, uid);
    const made = await mergeConversationsOf(sql, uid, [id, other]);
    return { uid, id, other, undo: made.undo!, before };
  };
  type Case = Awaited<ReturnType<typeof mergeTwo>>;
  const textsOf = async (id: string): Promise<string[]> =>
    (
      await sql<{ text: string }[]>`
        select text from segments where conversation_id = ${id} and not deleted order by position`
    ).map(({ text }) => text);

  for (const [name, make] of Object.entries({ splitOne, mergeTwo })) {
    await t.test(`${name}: once, and by its user only`, async (t) => {
      const { uid, id, undo, before } = await make();
      await t.rejects(undoChange(sql, await storeTalks(sql, []), undo), { code: 'undo_ended' });
      await t.rejects(undoChange(sql, uid, 'x'), { code: 'undo_ended' });
      t.match(await undoChange(sql, uid, undo), { id });
      t.equal(await stateOf(sql, uid), before);
      await t.rejects(undoChange(sql, uid, undo), { code: 'undo_ended' });
    });

    for (const [why, change] of Object.entries<(made: Case) => Promise<unknown>>({
      'words were added or moved since': ({ id }) =>
        insertSegments(sql, id, [saidSegment('Late words.', { id: 'late', start: 90, end: 91 })]),
      'an image was added since': ({ id, uid }) => sql`
        insert into photos (id, conversation_id, uid, place, file, content_type, bytes, created_at)
        values (gen_random_uuid(), ${id}, ${uid}, 'p', ${`late ${id}`}, 'image/png', 1, now())`,
      'a title, a star or a folder was changed since': ({ id }) =>
        sql`update conversations set title_by_user = 'New' where id = ${id}`,
      'a conversation was split, merged or deleted since': ({ other }) =>
        sql`update conversations set merged_into = gen_random_uuid() where id = ${other}`,
    }))
      await t.test(`${name}: refused if ${why}`, async (t) => {
        const made = await make();
        await change(made);
        const state = await stateOf(sql, made.uid);
        await t.rejects(undoChange(sql, made.uid, made.undo), { code: 'undo_refused', details: { why } });
        t.equal(await stateOf(sql, made.uid), state, 'nothing changes');
      });

    await t.test(
      `${name}: summaries, tasks and memories of before, after an automatic summary`,
      async (t) => {
        const { uid, id, undo, before } = await make();
        const [first] = await sql`select structured from conversations where id = ${id}`;
        await sql`update conversations set structured = structured || '{"title": "Automatic"}', generated_by = 'm' where id = ${id}`;
        await sql`update steps set state = 'done', attempts = 1 where step = 'structure' and uid = ${uid}`;
        await sql`delete from action_items where conversation_id = ${id} and description like '%word%'`;
        await undoChange(sql, uid, undo);
        const [after] = await sql`select structured, generated_by from conversations where id = ${id}`;
        t.equal(after!.structured.title, JSON.parse(before).conversations[0].structured.title);
        t.ok(first);
        const waiting = await sql<{ step: string; key: string }[]>`
        select step, key from steps where uid = ${uid} and state = 'waiting' and step in ('action_items', 'memories')`;
        t.ok(
          waiting.some(({ step, key }) => step === 'action_items' && key === id),
          'tasks are looked for again',
        );
        const { length } =
          await sql`select 1 from steps where uid = ${uid} and step = 'structure' and state = 'done'`;
        t.equal(length, 0, 'the earlier summary is not replaced by a run for the changed conversation');
      },
    );

    await t.test(`${name}: texts and speakers that were corrected since stay`, async (t) => {
      const { uid, id, undo } = await make();
      await nameSpeakerOf(sql, uid, id, { speakerId: 0, person: { name: 'Carl' }, segmentIds: null });
      const said = await textsOf(id);
      const { ids } = await undoChange(sql, uid, undo);
      const named = await sql`
        select 1 from segments where conversation_id = any(${[...ids]}::uuid[]) and person_id is not null and by_user and not deleted`;
      t.ok(named.length > 0 && said.length > 0);
      const summaries =
        await sql`select 1 from steps where uid = ${uid} and step = 'structure' and state = 'waiting'`;
      t.equal(summaries.length, ids.length, 'each is summarised again');
    });

    await t.test(`${name}: the facts go with the conversation`, async (t) => {
      const { id, other, uid, undo } = await make();
      await sql.begin((transaction) => removeConversation(transaction, name === 'splitOne' ? other : id));
      t.same([...(await sql`select id from undoable_changes where uid = ${uid}`)], []);
      await t.rejects(undoChange(sql, uid, undo), { code: 'undo_ended' });
    });

    await t.test(`${name}: a locked conversation`, async (t) => {
      const { id, uid, undo } = await make();
      await sql`update conversations set is_locked = true where id = ${id}`;
      await t.rejects(undoChange(sql, uid, undo), { code: 'locked' });
    });

    await t.test(`${name}: a folder that is gone is left out`, async (t) => {
      const { uid, id, undo } = await make();
      await sql`
        update undoable_changes set facts = jsonb_set(facts, '{conversations,0,row,folder_id}', to_jsonb(gen_random_uuid()))
        where id = ${undo}`;
      await undoChange(sql, uid, undo);
      t.match([...(await sql`select folder_id from conversations where id = ${id}`)], [{ folder_id: null }]);
    });
  }

  await t.test('a running step of the merged conversation stores nothing', async (t) => {
    const { uid, id, undo } = await mergeTwo();
    const [step] = await sql<{ run: number }[]>`
      update steps set attempts = 1 where key = ${id} and step = 'structure' returning run`;
    await undoChange(sql, uid, undo);
    const same =
      await sql`select 1 from steps where key = ${id} and step = 'structure' and run <= ${step!.run}`;
    t.same([...same], []);
  });

  await t.test('limits of age, number and size', async (t) => {
    const { uid, id, undo } = await splitOne();
    await sql`update undoable_changes set made_at = now() - make_interval(hours => ${fixedLimits.undoAge.value}) where id = ${undo}`;
    await t.rejects(undoChange(sql, uid, undo), { code: 'undo_ended' });
    await sweepUndoableChanges(sql);
    t.same([...(await sql`select id from undoable_changes where id = ${undo}`)], []);

    const most = fixedLimits.undosPerUser.value;
    const [oldest] = await sql<{ id: string }[]>`
      insert into undoable_changes (id, uid, kind, conversation_id, made_at, facts)
      select gen_random_uuid(), ${uid}, 'split', ${id}, now() - make_interval(mins => n), '{}' from generate_series(${most}::integer, 1, -1) n
      returning id`;
    const [part] = (await listed(sql, uid)).slice(-1) as [string];
    const more = await splitConversation(sql, uid, part, (await segmentsOf(sql, part))[1]!);
    const kept = await sql<{ id: string }[]>`select id from undoable_changes where uid = ${uid}`;
    t.equal(kept.length, most);
    t.ok(kept.some((row) => row.id === more.undo) && !kept.some((row) => row.id === oldest!.id));

    const large = await mergeTwo();
    await undoChange(sql, large.uid, large.undo);
    await sql`update conversations set external_data = jsonb_build_object('note', repeat('x', ${fixedLimits.undoFacts.value}::integer))
      where id = ${large.other}`;
    const made = await mergeConversationsOf(sql, large.uid, [large.id, large.other]);
    t.equal(made.undo, null, 'it is merged, and cannot be undone');
    t.same([...(await sql`select 1 from undoable_changes where uid = ${large.uid}`)], []);
  });
});
