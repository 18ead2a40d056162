import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import {
  deleteConversation,
  listConversationsOf,
} from '../../src/service/conversations/stored-conversations.js';
import { createFromSegments } from '../../src/service/conversations/supplied-conversations.js';
import { createFromText } from '../../src/service/conversations/text-conversations.js';
import { createFolder } from '../../src/service/records/folders.js';
import { createPerson, deletePerson, listPeople, updatePerson } from '../../src/service/records/people.js';
import { systemFolders } from '../../src/service/rules/system-folders.js';
import { rulesHere } from '../../src/service/text/text-rules.js';
import { claimFinished, completeFinished } from '../../src/store/conversations/finished-conversations.js';
import { commitFencedChange } from '../../src/store/live/fenced-writes.js';
import { testDatabase } from '../support/database/database.js';
import { plansOf } from '../support/database/plan.js';
import { getConversation, listConversations, updateConversation } from '../support/texts/conversations.js';

t.test('stored conversations', async (t) => {
  const { sql } = await testDatabase(t);
  let users = 0;
  const user = async (name = 'Ann'): Promise<string> =>
    (await createUser(sql, { uid: `user-${++users}`, name })).uid;
  const doctor = 'The doctor gave me a prescription at the hospital for the therapy.';
  const text = (uid: string, more: object = {}) =>
    createFromText(sql, rulesHere, uid, { text: doctor, ...more });
  const ids = async (uid: string, query: object = {}): Promise<string[]> =>
    (await listConversations(sql, uid, { limit: 100, transcript: false, ...query })).items.map(
      ({ id }) => id,
    );

  await t.test('a conversation from a text is stored and summarised without a transcript', async (t) => {
    const uid = await user();
    const startedAt = new Date('2026-03-01T10:00:00Z');
    const made = await text(uid, {
      text: '  Remind me to call\0 the doctor.  ',
      started_at: startedAt,
      text_source: 'message',
    });
    t.match(made, { status: 'completed', discarded: false });
    const read = await getConversation(sql, uid, made.id, true);
    t.match(read, {
      source: 'external_integration',
      language: 'en',
      started_at: '2026-03-01T10:00:00Z',
      finished_at: '2026-03-01T10:05:00Z',
      transcript_segments: [],
      structured: { title: /\w/, action_items: [{ description: /call/i }] },
    });
    const [kept] = await sql`select external_data from conversations where id = ${made.id}`;
    t.same(kept!.external_data, {
      text: 'Remind me to call\ufffd the doctor.',
      text_source: 'message',
      text_source_spec: null,
    });
    t.equal((await text(uid, { text: 'Uh.' })).discarded, false, 'a text is never discarded');
    const equal = await text(uid, { started_at: startedAt, finished_at: startedAt });
    t.equal(equal.status, 'completed', 'start and end may be equal');
    const wrong: [more: object, at: string][] = [
      [{ text: ' \n' }, 'body.text'],
      [{ text: 'x'.repeat(100_001) }, 'body.text'],
      [{ started_at: startedAt, finished_at: new Date('2026-03-01T09:59:59Z') }, 'body.finished_at'],
      [{ language: 'english please' }, 'body.language'],
      [{ language: 'English' }, 'body.language'],
    ];
    for (const [more, at] of wrong) {
      const thrown: unknown = await text(uid, more).catch((error: unknown) => error);
      t.match(thrown, { code: 'validation_failed', details: { at } }, at);
    }
  });

  await t.test('a repeated session or key makes one conversation, which remains deleted', async (t) => {
    const uid = await user();
    for (const more of [{ client_session_id: 's' }, { idempotencyKey: 'k' }]) {
      const made = await Promise.all(Array.from({ length: 5 }, () => text(uid, more)));
      t.equal(new Set(made.map(({ id }) => id)).size, 1);
      await deleteConversation(sql, uid, made[0]!.id);
      const again = { id: made[0]!.id, status: 'deleted', discarded: true };
      t.same(await text(uid, more), again);
      const segments = [{ text: doctor, start: 0, end: 1, is_user: false }];
      t.same(
        await createFromSegments(sql, rulesHere, uid, { transcript_segments: segments, ...more }),
        again,
      );
    }
    t.same(await ids(uid), []);
  });

  await t.test('deletion removes all content', async (t) => {
    const uid = await user();
    const segments = [{ text: doctor, start: 0, end: 4, is_user: true }];
    const geolocation = {
      latitude: 1,
      longitude: 2,
      address: 'home',
      google_place_id: null,
      location_type: null,
    };
    const { id: spoken } = await createFromSegments(sql, rulesHere, uid, {
      transcript_segments: segments,
      geolocation,
    });
    const { id: written } = await text(uid, { geolocation, text_source: 'a letter' });
    for (const id of [spoken, written]) {
      await updateConversation(sql, uid, id, { title: 'Own title', starred: true });
      await deleteConversation(sql, uid, id);
      const [row] = await sql`select to_jsonb(c)::text as text from conversations c where id = ${id}`;
      t.notMatch(row!.text, /doctor|prescription|home|Own title|letter/);
      for (const table of ['segments', 'photos', 'steps'])
        t.same([...(await sql`select 1 from ${sql(table)} where conversation_id = ${id}`)], [], table);
      const absent = { code: 'conversation_not_found' };
      await t.rejects(getConversation(sql, uid, id, true), absent);
      await t.rejects(updateConversation(sql, uid, id, { title: 'x' }), absent);
      await t.rejects(deleteConversation(sql, uid, id), absent);
    }
  });

  await t.test('an engine stores nothing in a conversation that was deleted meanwhile', async (t) => {
    const uid = await user();
    const { id } = await text(uid);
    const conversation = {
      id,
      uid,
      source: 'phone',
      deviceId: null,
      clientPlatform: null,
      language: 'en',
      usesCustomStt: false,
      timeout: 120,
      createdAt: Date.now(),
    };
    const segment = {
      id: randomUUID(),
      text: 'Said after the deletion.',
      speaker: 'SPEAKER_00',
      speaker_id: 0,
      is_user: true,
      person_id: null,
      start: 0,
      end: 1,
      translations: [],
      speech_profile_processed: true,
      stt_provider: null,
      stt_model: null,
    };
    const rows = [{ id: segment.id, position: 1, revision: 1, segment }];
    const now = Date.now();
    const change = {
      conversation,
      epoch: 1,
      startedAt: now,
      lastSpeechAt: now,
      speechProbability: null,
      spoken: null,
      rows,
    };
    await deleteConversation(sql, uid, id);
    await sql.begin((transaction) => commitFencedChange(transaction, change));
    t.same([...(await sql`select 1 from segments where conversation_id = ${id}`)], []);
    await t.rejects(getConversation(sql, uid, id, true), { code: 'conversation_not_found' });
  });

  await t.test('a change sets only its fields, and a later summary keeps them', async (t) => {
    const uid = await user();
    const { id } = await text(uid);
    const before = await getConversation(sql, uid, id, true);
    t.match(await updateConversation(sql, uid, id, { starred: true }), {
      starred: true,
      structured: before.structured,
    });
    t.match(await updateConversation(sql, uid, id, { title: ' At\0 the doctor ' }), {
      starred: true,
      structured: { ...before.structured, title: 'At\ufffd the doctor' },
    });
    t.same(await ids(uid), [id]);
    t.match(await updateConversation(sql, uid, id, { discarded: true }), { discarded: true });
    t.same(await ids(uid), []);
    const { id: folderId } = await createFolder(sql, uid, { name: 'Health' });
    await updateConversation(sql, uid, id, { folder_id: folderId });
    await sql`update conversations set status = 'processing', client_session_id = null where id = ${id}`;
    const claimed = (await claimFinished(sql, id))!;
    const structured = { ...before.structured, title: 'Another title', overview: 'Another overview' };
    await completeFinished(
      sql,
      claimed,
      {
        structured,
        generatedBy: 'test',
        discarded: false,
        filing: { folders: systemFolders, mapping: 'personal' },
      },
      [],
      { end: { generatedBy: 'test', error: null }, steps: [], day: null },
    );
    t.match(await getConversation(sql, uid, id, false), {
      structured: { title: 'At\ufffd the doctor', overview: 'Another overview' },
      discarded: true,
      folder_id: folderId,
    });
    await updateConversation(sql, uid, id, { discarded: false });
    t.same(await ids(uid), [id]);
    await t.rejects(updateConversation(sql, uid, id, {}), { code: 'validation_failed' });
    await t.rejects(updateConversation(sql, uid, id, { title: '🧠'.repeat(501) }), {
      code: 'validation_failed',
    });
    await t.rejects(updateConversation(sql, uid, id, { title: '  ', starred: false }), {
      code: 'validation_failed',
    });
    t.equal((await getConversation(sql, uid, id, false)).starred, true, 'a refused change has no effect');
  });

  await t.test('locked conversations are omitted before paging and cannot be changed', async (t) => {
    const uid = await user();
    const made: string[] = [];
    for (let hour = 0; hour < 6; hour++) {
      made.unshift((await text(uid, { started_at: new Date(Date.UTC(2026, 2, 1, hour)) })).id);
    }
    await sql`update conversations set is_locked = true where id in (${made[0]!}, ${made[2]!})`;
    t.same(await ids(uid, { limit: 2 }), [made[1], made[3]]);
    const refusal = { code: 'locked', message: 'A paid plan is required to access this conversation.' };
    await t.rejects(updateConversation(sql, uid, made[0]!, { starred: true }), refusal);
    await t.rejects(deleteConversation(sql, uid, made[0]!), refusal);
    await t.rejects(getConversation(sql, uid, made[0]!, false), { code: 'conversation_not_found' });
  });

  await t.test('pages by cursor contain every conversation, also of the same instant', async (t) => {
    const uid = await user();
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured)
      select gen_random_uuid(), ${uid}, 'completed', 'phone',
        timestamptz '2026-01-01 00:00:00.1234Z' + make_interval(secs => (n % 7) * 0.000001), now(), '{"category": "made up"}'
      from generate_series(1, 40) n`;
    const all = await ids(uid);
    t.equal(all.length, 40);
    const read: string[] = [];
    let cursor: string | undefined;
    do {
      const part = await listConversations(sql, uid, { limit: 9, transcript: false, cursor });
      read.push(...part.items.map(({ id }) => id));
      cursor = part.next ?? undefined;
    } while (cursor !== undefined);
    t.same(read, all);
    t.equal((await ids(uid, { categories: ['made up'] })).length, 40, 'a category may be any text');
    t.same(await ids(uid, { categories: ['legal\0'] }), []);
    t.equal(
      (await ids(uid, { to: new Date('2026-01-01T00:00:00.123Z') })).length,
      40,
      'bounds are inclusive',
    );
    t.same(await ids(uid, { from: new Date('2026-01-01T00:00:00.124Z') }), []);
  });

  await t.test('segments have the names of their speakers', async (t) => {
    const uid = await user('Ann Example');
    const ben = await createPerson(sql, uid, { name: ' Ben ' });
    const foreign = await createPerson(sql, await user(), { name: 'Foreign' });
    const say = (speaker: string, more: object) => ({
      text: doctor,
      start: 0,
      end: 1,
      speaker,
      is_user: false,
      ...more,
    });
    const { id } = await createFromSegments(sql, rulesHere, uid, {
      transcript_segments: [
        say('SPEAKER_00', { is_user: true }),
        say('SPEAKER_01', { person_id: ben.id.toUpperCase() }),
        say('SPEAKER_02', { person_id: foreign.id }),
        say('SPEAKER_03', { person_id: 'someone' }),
      ],
    });
    const names = async () =>
      (await getConversation(sql, uid, id, true)).transcript_segments!.map(
        ({ speaker_name }) => speaker_name,
      );
    t.same(await names(), ['Ann Example', 'Ben', 'Speaker 2', 'Speaker 3']);
    await updatePerson(sql, uid, ben.id, { name: 'Benjamin' });
    t.equal((await names())[1], 'Benjamin');
    await deletePerson(sql, uid, ben.id);
    t.equal((await names())[1], 'Speaker 1');
    t.same((await listPeople(sql, uid, { limit: 10 })).items, []);
  });

  await t.test('every list is read from an index', async (t) => {
    const uid = await user();
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured, starred, discarded)
      select gen_random_uuid(), ${uid}, 'completed', 'phone', now() - make_interval(secs => n), now(),
        jsonb_build_object('category', 'c' || n % 40), n % 200 = 0, n % 3 = 0
      from generate_series(1, 8000) n`;
    await sql`analyze conversations`;
    const list = async (query: object, index: RegExp): Promise<void> => {
      const [plan] = await plansOf(sql, 'from conversations', (watched) =>
        listConversationsOf(watched, uid, { limit: 25, transcript: false, ...query }),
      );
      t.match(plan, index);
      t.notMatch(plan, /Sort/);
    };
    const far = (await listConversationsOf(sql, uid, { limit: 1, offset: 3000, transcript: false })).next!;
    await list({}, /Index Scan using conversations_listed/);
    await list(
      { cursor: far },
      /Index Scan using conversations_listed.*\n *Index Cond:.*ROW\(created_at, id\)/,
    );
    await list({ starred: true }, /Index Scan using conversations_starred/);
    await list({ categories: ['c7'] }, /Index Scan using conversations_by_category/);
    await list({ to: new Date(Date.now() - 3_600_000) }, /Index Scan using conversations_listed/);
  });
});
