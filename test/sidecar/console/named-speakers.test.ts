/**
 * Tests the naming of speakers at the console: for all segments, a block or one segment, the undo, and the effect of
 * later writes.
 */
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { upsertSegments, writtenRow } from '../../../src/store/segments/segments.js';
import { saidSegment } from '../../support/texts/said-segment.js';
import { consoleHeaders, consoleSession, fromSegments, said, startApi } from '../support.js';

interface Shown {
  readonly id: string;
  readonly speaker_name: string;
  readonly is_user: boolean;
  readonly person_id: string | null;
  readonly revision: number;
  readonly by_user: boolean;
}

t.test('named speakers', async (t) => {
  const api = await startApi(t);
  const { sql } = api;
  const { uid, key } = await api.person();
  const headers = consoleHeaders(api, await consoleSession(sql, uid));
  /** Stores a conversation of two speakers who take turns: 0 1 0 1 0. */
  const made = async (): Promise<string> => {
    const transcript_segments = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text, at) =>
      said(text, at * 5, at * 5 + 4, { speaker: `SPEAKER_0${at % 2}`, speaker_id: at % 2 }),
    );
    const { body } = await api.call(fromSegments, { credential: key, body: { transcript_segments } });
    return body.id as string;
  };
  const read = async (id: string): Promise<Shown[]> =>
    (await api.call(`/console/api/conversations/${id}/segments`, { headers })).body;
  const namesOf = async (id: string): Promise<string[]> =>
    (await read(id)).map(({ speaker_name }) => speaker_name);
  const name = (id: string, body: object, as = headers) =>
    api.call(`/console/api/conversations/${id}/speakers`, { headers: as, body });
  const undo = (id: string, body: object, as = headers) =>
    api.call(`/console/api/conversations/${id}/speakers/undo`, { headers: as, body });
  const [zero, one] = ['Speaker 0', 'Speaker 1'];

  await t.test('all segments of a speaker get a new person, the same name the same person', async (t) => {
    const id = await made();
    const named = await name(id, { speaker_id: 0, person: { name: ' Bob ' } });
    t.match([named.status, named.body], [200, { changed: 3, is_user: false }]);
    t.same(await namesOf(id), ['Bob', one, 'Bob', one, 'Bob']);
    const again = await name(id, { speaker_id: 1, person: { name: 'bob' } });
    t.equal(again.body.person_id, named.body.person_id);
    const byId = await name(id, { speaker_id: 1, person: { id: named.body.person_id } });
    t.equal(byId.body.changed, 0, 'they have this person already');
    await name(id, { speaker_id: 1, person: 'me' });
    t.same(await namesOf(id), ['Bob', 'Ann', 'Bob', 'Ann', 'Bob']);
    await name(id, { speaker_id: 1, person: null });
    t.same(await namesOf(id), ['Bob', one, 'Bob', one, 'Bob']);
  });

  await t.test(
    'the person that a naming added goes with its undo if nothing else uses the person',
    async (t) => {
      const known = async (person: string) =>
        (await sql`select 1 from people where id = ${person}`).length === 1;
      const undone = async (id: string, { body }: { body: Record<string, unknown> }, as = headers) =>
        (await undo(id, { undo: body.undo, added_person_id: body.added_person_id }, as)).body;
      const [id, other] = [await made(), await made()];
      const named = await name(id, { speaker_id: 0, person: { name: 'Mistake' } });
      t.equal(named.body.added_person_id, named.body.person_id);
      t.match(await undone(id, named), { restored: 3, person_removed: true });
      t.equal(await known(named.body.person_id), false);

      const used = await name(id, { speaker_id: 0, person: { name: 'Used' } });
      const again = await name(other, { speaker_id: 0, person: { name: 'used' } });
      t.equal(again.body.added_person_id, null, 'the person was there');
      t.match(await undone(id, used), { restored: 3, person_removed: false });
      t.equal(await known(used.body.person_id), true, 'another conversation has the person');

      const renamed = await name(id, { speaker_id: 0, person: { name: 'Renamed' } });
      await sql`update people set updated_at = now() + interval '1 second' where id = ${renamed.body.person_id}`;
      t.match(await undone(id, renamed), { person_removed: false });

      const voiced = await name(id, { speaker_id: 0, person: { name: 'Heard' } });
      await sql`
      insert into voice_profiles (id, uid, person_id, model, speech_ms, embeddings)
      values (gen_random_uuid(), ${uid}, ${voiced.body.person_id}, 'm', 1, '{}')`;
      t.match(await undone(id, voiced), { person_removed: false });

      await createUser(sql, { uid: 'foreign' });
      const [foreign] = await sql<{ id: string }[]>`
      insert into people (id, uid, name, created_at, updated_at)
      values (gen_random_uuid(), 'foreign', 'Theirs', now(), now()) returning id`;
      for (const added_person_id of [foreign!.id, 'nonsense', null])
        t.match((await undo(id, { undo: [], added_person_id })).body, { person_removed: false });
      t.equal(await known(foreign!.id), true, "another user's person stays");
    },
  );

  await t.test('this only changes exactly one row, and stays when the speaker is named', async (t) => {
    const id = await made();
    const rows = () => sql`select * from segments where conversation_id = ${id} order by position`;
    const before = await rows();
    const only = await name(id, { speaker_id: 0, person: 'me', segment_ids: [before[2]!.id] });
    t.equal(only.body.changed, 1);
    const after = await rows();
    t.same(
      after.map((row, at) => JSON.stringify(row) !== JSON.stringify(before[at])),
      [false, false, true, false, false],
    );
    t.equal((await name(id, { speaker_id: 0, person: { name: 'Carl' } })).body.changed, 2);
    t.same(await namesOf(id), ['Carl', one, 'Ann', one, 'Carl']);
  });

  await t.test('a block', async (t) => {
    const id = await made();
    const ids = (await read(id)).map((segment) => segment.id);
    const block = [ids[2], ids[4], ids[2]];
    t.equal((await name(id, { speaker_id: 0, person: 'me', segment_ids: block })).body.changed, 2);
    t.same(await namesOf(id), [zero, one, 'Ann', one, 'Ann']);
  });

  await t.test('undo restores every segment exactly', async (t) => {
    const id = await made();
    const ids = (await read(id)).map((segment) => segment.id);
    await name(id, { speaker_id: 0, person: { name: 'Dora' }, segment_ids: [ids[0]] });
    const kept = 'id, text, speaker, speaker_id, is_user, person_id, by_user, named_alone, deleted, position';
    const rows = () =>
      sql.unsafe(`select ${kept} from segments where conversation_id = '${id}' order by position`);
    const before = await rows();
    const named = await name(id, { speaker_id: 0, person: 'me' });
    t.notSame(await rows(), before);
    t.match(await undo(id, { undo: named.body.undo }), { status: 200, body: { restored: 2 } });
    t.same(await rows(), before);
    t.match(await undo(id, { undo: named.body.undo }), {
      status: 409,
      body: { detail: /has changed since/ },
    });
  });

  await t.test('undo after another change restores nothing', async (t) => {
    const id = await made();
    const { body } = await name(id, { speaker_id: 0, person: { name: 'Emil' } });
    const [, , third] = await read(id);
    await name(id, { speaker_id: 0, person: 'me', segment_ids: [third!.id] });
    t.equal((await undo(id, { undo: body.undo })).status, 409);
    t.same(await namesOf(id), ['Emil', one, 'Ann', one, 'Emil']);
  });

  await t.test('automatic writes keep the speaker; after undo they may change it', async (t) => {
    const id = await made();
    const { body } = await name(id, { speaker_id: 0, person: { name: 'Fay' } });
    const [first] = await read(id);
    const write = (revision: number) => {
      const segment = saidSegment('One.', { id: first!.id, speaker: 'SPEAKER_07', speaker_id: 7 });
      const row = { id: first!.id, position: 0, revision, segment };
      return upsertSegments(sql, [writtenRow(id, 0, row)], 'conversations');
    };
    await write(50);
    t.match((await read(id))[0], { speaker_name: 'Fay', person_id: body.person_id });
    const other = await made();
    const { body: named } = await name(other, { speaker_id: 0, person: 'me' });
    await undo(other, { undo: named.undo });
    t.match(await read(other), [{ by_user: false }, { by_user: false }]);
  });

  await t.test('a voice learned for a person who does not speak here is removed', async (t) => {
    const id = await made();
    const { body } = await name(id, { speaker_id: 0, person: { name: 'Gina' } });
    await sql`
      insert into voice_profiles (id, uid, person_id, conversation_id, model, speech_ms, embeddings)
      values (gen_random_uuid(), ${uid}, ${body.person_id}, ${id}, 'm', 9000, '\\x00')`;
    const voices = async () =>
      (await sql`select 1 as voice from voice_profiles where conversation_id = ${id}`).length;
    const [first] = await read(id);
    await name(id, { speaker_id: 0, person: 'me', segment_ids: [first!.id] });
    t.equal(await voices(), 1, 'other segments are still hers');
    await name(id, { speaker_id: 0, person: 'me' });
    t.equal(await voices(), 0);
  });

  await t.test('refused', async (t) => {
    const [id, other] = [await made(), await made()];
    const stranger = (await createUser(sql, { uid: 'stranger', name: 'Eve' })).uid;
    const foreign = consoleHeaders(api, await consoleSession(sql, stranger));
    const people = async () => (await sql`select 1 as person from people where uid = ${stranger}`).length;
    t.equal((await name(id, { speaker_id: 0, person: { name: 'Mallory' } }, foreign)).status, 404);
    t.equal(await people(), 0, 'a refused request adds no person');
    t.equal((await undo(id, { undo: [] }, foreign)).status, 404);
    const [person] = await sql`
      insert into people (id, uid, name, created_at, updated_at)
      values (gen_random_uuid(), ${stranger}, 'Hers', now(), now()) returning id`;
    const [own] = await read(id);
    const cases: [number, object][] = [
      [404, { speaker_id: 0, person: { id: person!.id } }],
      [404, { speaker_id: 0, person: { id: 'nonsense' } }],
      [404, { speaker_id: 9, person: 'me' }],
      [404, { speaker_id: 1, person: 'me', segment_ids: [own!.id] }],
      [404, { speaker_id: 0, person: 'me', segment_ids: [own!.id, (await read(other))[0]!.id] }],
      [404, { speaker_id: 0, person: 'me', segment_ids: ['a\0b'] }],
      [422, { speaker_id: 0, person: { name: ' ' } }],
      [422, { speaker_id: 0, person: 'you' }],
      [422, { speaker_id: 0, person: 'me', segment_ids: [] }],
      [422, { speaker_id: 3e9, person: 'me' }],
    ];
    for (const [status, body] of cases) t.equal((await name(id, body)).status, status, JSON.stringify(body));
    t.same(await namesOf(id), [zero, one, zero, one, zero]);
    const [first] = await read(id);
    for (const person_id of [person!.id, 'nonsense', '\0']) {
      const forged = {
        is_user: false,
        person_id,
        by_user: false,
        named_alone: false,
        segments: { [first!.id]: first!.revision },
      };
      t.equal((await undo(id, { undo: [forged] })).status, 404, 'a person that the user does not have');
    }
    t.same(await read(id).then((rows) => rows[0]), first, 'a refused undo changes nothing');
    const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`x${at}`, 1]));
    const state = { is_user: true, person_id: null, by_user: false, named_alone: false };
    t.equal((await undo(id, { undo: [{ ...state, segments: wide }] })).status, 422);
    await sql`update conversations set status = 'in_progress' where id = ${id}`;
    t.equal((await name(id, { speaker_id: 0, person: 'me' })).status, 409);
  });

  await t.test('names of a conversation with 8,192 segments are undone in one request', async (t) => {
    const id = await made();
    // PostgreSQL's statistics are made before the long conversation is stored, so they do not include it.
    await sql.unsafe('vacuum analyze segments');
    await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
      select gen_random_uuid(), ${id}, n, 1, 'word', 'SPEAKER_00', 0, false, n, n + 1 from generate_series(100, 8286) as n`;
    const { body } = await name(id.toUpperCase(), { speaker_id: 0, person: 'me' });
    t.equal(body.changed, 8190);
    t.match(await undo(id, { undo: body.undo }), { status: 200, body: { restored: 8190 } });
    const [step] =
      await sql`select count(*)::integer as steps from steps where lower(key) = ${id} and step = 'structure'`;
    t.equal(step!.steps, 1, 'the id is used in the form of the database');
  });
});
