/**
 * Tests the ids that clients propose for their conversations, on a real PostgreSQL: the effect of each kind of id, and
 * that no id opens data of another user.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import type { Journal, Lease } from '../../src/journal/journal.js';
import { createLogger } from '../../src/log/logger.js';
import { removeAccounts } from '../../src/pipeline/words/removal.js';
import { beginDeletion } from '../../src/store/accounts/account-deletions.js';
import { removeConversation } from '../../src/store/conversations/conversations.js';
import { claimFinished, completeFinished } from '../../src/store/conversations/finished-conversations.js';
import { beginStep, endStep, requestSteps } from '../../src/store/jobs/steps.js';
import { sweepOrphans } from '../../src/store/jobs/sweep.js';
import { conversationReferences, shownReferences } from '../../src/store/proposals/references.js';
import { recordSpeech } from '../../src/store/records/usage.js';
import { testDatabase, untilBlocked } from '../support/database/database.js';
import { until } from '../support/until.js';
import { change, opening, proxiedJournal, startOfTime, stored, storedTexts, testJournal } from './support.js';

const silent = createLogger('test', 'silent');
const minute = 60_000;

t.test('a conversation id proposed by a client', async (t) => {
  const { url, sql } = await testDatabase(t);
  const spills = t.testdir({});
  const { journal } = await testJournal(url, spills, { databaseTimeout: 10_000 });
  const { journal: other } = await testJournal(url, spills, { databaseTimeout: 10_000 });
  t.teardown(() => Promise.all([journal.close(0), other.close(0)]));
  let users = 0;
  const someone = (): string => `user-${users++}`;
  const open = (
    uid: string,
    proposed: string | null,
    changes: Parameters<typeof opening>[0] = {},
    on = journal,
  ) => on.open(opening({ uid, proposed, ...changes }));
  const say = (lease: Lease, text: string, on: Journal = journal) =>
    on.commit([change(lease, [stored(randomUUID(), text)])]);
  const rowOf = async (id: string) =>
    (
      await sql<{ uid: string; status: string; epoch: number }[]>`
      select uid, status, epoch from conversations where id = ${id}`
    )[0];
  const texts = (id: string) => storedTexts(sql, id);

  await t.test('is used if it is free, and another engine resumes the conversation by it', async (t) => {
    const [uid, id] = [someone(), randomUUID()];
    const first = await open(uid, id);
    t.match(first, { resumed: false, past: null, lease: { conversationId: id, uid } });
    await say(first.lease, 'Good morning.');
    // The engine is killed. Its lease is neither released nor expired.
    const again = await open(uid, id, { now: startOfTime + minute }, other);
    t.match(again, { resumed: true, past: null, segmentCount: 1, lease: { conversationId: id } });
    t.ok(again.lease.epoch > first.lease.epoch);
    t.equal((await say(first.lease, 'Too late.')).get(id), 'fenced');
    t.equal((await say(again.lease, 'Good evening.', other)).get(id), 'database');
    t.strictSame((await texts(id)).sort(), ['Good evening.', 'Good morning.']);
    t.match(
      await open(uid, null, { now: startOfTime + minute }),
      { lease: { conversationId: id } },
      'also without it',
    );
  });

  await t.test("ends the device's other open conversation, which is not continued", async (t) => {
    const [uid, id] = [someone(), randomUUID()];
    const before = await open(uid, null);
    await say(before.lease, 'Before.');
    const next = await open(uid, id);
    t.match(next, { resumed: false, lease: { conversationId: id } });
    t.match(await rowOf(before.lease.conversationId), { status: 'processing' });
    t.match(await open(uid, id), { resumed: true, lease: { conversationId: id } });
  });

  interface Case {
    readonly title: string;
    /** Changes the conversation before its id is proposed again. The conversation has words. */
    readonly become: (id: string, uid: string) => Promise<unknown>;
    readonly changes?: Parameters<typeof opening>[0];
    readonly past?: string;
    /** The status of the conversation after the proposal. Absent if the proposal does not change the status. */
    readonly status?: string;
  }
  const set = (column: string, value: string) => (id: string) =>
    sql.unsafe(`update conversations set ${column} = ${value} where id = $1`, [id]);
  const nothing = async (): Promise<void> => undefined;
  const cases: readonly Case[] = [
    { title: 'of one that is processed', become: set('status', "'processing'"), past: 'processing' },
    { title: 'of one that is merged by hand', become: set('status', "'merging'"), past: 'merging' },
    { title: 'of one that is completed', become: set('status', "'completed'"), past: 'completed' },
    { title: 'of one that has failed', become: set('status', "'failed'"), past: 'failed' },
    {
      title: 'of one that has been silent for its timeout',
      become: nothing,
      changes: { now: startOfTime + 10 * minute },
      past: 'processing',
      status: 'processing',
    },
    {
      title: 'of one that is deleted',
      become: (id) => sql.begin((transaction) => removeConversation(transaction, id)),
    },
    { title: 'of one that is discarded', become: set('discarded', 'true') },
    { title: 'of a completed one that is discarded', become: set("status = 'completed', discarded", 'true') },
    { title: 'of one that is locked', become: set('is_locked', 'true') },
    {
      title: 'of a conversation of another source',
      become: nothing,
      changes: { source: 'phone' },
      status: 'in_progress',
    },
    {
      title: 'of a conversation of another device',
      become: nothing,
      changes: { deviceId: 'ios_1' },
      status: 'in_progress',
    },
  ];
  for (const { title, become, changes = {}, past, status } of cases) {
    await t.test(title, async (t) => {
      const [uid, id] = [someone(), randomUUID()];
      const first = await open(uid, id);
      await say(first.lease, 'Said before.');
      await become(id, uid);
      const before = await rowOf(id);
      const next = await open(uid, id, changes);
      t.match(next, { resumed: false, segmentCount: 0 });
      t.not(next.lease.conversationId, id, 'another conversation begins');
      t.strictSame(next.past, past === undefined ? null : { id, status: past });
      t.equal((await rowOf(id))?.status, status ?? before?.status);
      t.equal((await say(next.lease, 'Said now.')).get(next.lease.conversationId), 'database');
      t.notOk((await texts(id)).includes('Said now.'));
    });
  }

  await t.test('is free if its conversation was silent and empty, swept or not', async (t) => {
    for (const swept of [true, false]) {
      const [uid, id] = [someone(), randomUUID()];
      const { lease } = await open(uid, id);
      await journal.release(lease);
      if (swept) {
        await until(async () => {
          await sweepOrphans(sql, 0);
          return (await rowOf(id)) === undefined;
        }, 'the sweep');
      }
      const next = await open(uid, id, { now: startOfTime + 10 * minute });
      t.match(next, { resumed: false, past: null, lease: { conversationId: id } });
      t.ok(next.lease.epoch > lease.epoch, 'earlier leases stay fenced');
    }
  });

  await t.test('of another user is never opened, and looks like a deleted one', async (t) => {
    for (const state of [nothing, ...cases.map(({ become }) => become)]) {
      const [owner, thief, id] = [someone(), someone(), randomUUID()];
      const { lease } = await open(owner, id);
      await say(lease, 'Private.');
      await state(id, owner);
      const before = await sql`select * from conversations where id = ${id}`;
      const taken = await open(thief, id);
      t.match(taken, {
        resumed: false,
        past: null,
        tail: null,
        segmentCount: 0,
        characters: 0,
        startedAt: null,
      });
      t.not(taken.lease.conversationId, id);
      t.strictSame(
        [...(await sql`select * from conversations where id = ${id}`)],
        [...before],
        'it is as it was',
      );
      // Leases that a client could forge for its own engine.
      const forged = { conversationId: id, uid: thief, epoch: lease.epoch };
      t.equal((await say(forged, 'Forged.')).get(id), 'fenced');
      t.equal(await journal.announced(thief, id), null);
      t.equal(await journal.conversation(thief, id), null);
      t.notOk((await texts(id)).includes('Forged.'));
    }
  });

  await t.test('neither waits for a row of another user nor locks it', async (t) => {
    const [owner, thief, id] = [someone(), someone(), randomUUID()];
    const { lease } = await open(owner, id);
    await sql.begin(async (transaction) => {
      await transaction`select 1 from conversations where id = ${id} for update`;
      t.not((await open(thief, id)).lease.conversationId, id);
    });
    t.equal((await say(lease, 'Still mine.')).get(id), 'database');
  });

  await t.test('does not wait for a row of another device, which may wait for this one', async (t) => {
    const [uid, id] = [someone(), randomUUID()];
    const { lease } = await open(uid, id);
    await sql.begin(async (transaction) => {
      await transaction`select 1 from conversations where id = ${id} for update`;
      t.not((await open(uid, id, { deviceId: 'ios_2' })).lease.conversationId, id);
    });
    t.equal((await say(lease, 'Goes on.')).get(id), 'database');
  });

  await t.test('is given once when two users or devices propose it at the same time', async (t) => {
    for (const one of [true, false]) {
      const id = randomUUID();
      const uid = someone();
      const given = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          open(one ? uid : someone(), id, { deviceId: `ios_${index}` }, index % 2 ? journal : other),
        ),
      );
      const ids = given.map(({ lease }) => lease.conversationId);
      t.equal(new Set(ids).size, 6, 'each has a conversation of its own');
      t.equal(ids.filter((each) => each === id).length, 1);
      t.ok(given.every(({ resumed, past }) => !resumed && past === null));
    }
  });

  await t.test('gives two sockets of one device the same conversation, with one lease', async (t) => {
    const [uid, id] = [someone(), randomUUID()];
    const given = await Promise.all([open(uid, id), open(uid, id, {}, other)]);
    t.strictSame(
      given.map(({ lease }) => lease.conversationId),
      [id, id],
    );
    t.equal(new Set(given.map(({ lease }) => lease.epoch)).size, 2);
    const stored = await Promise.all([say(given[0]!.lease, 'a'), say(given[1]!.lease, 'b', other)]);
    t.strictSame(stored.map((one) => one.get(id)).sort(), ['database', 'fenced']);
  });

  await t.test('hundreds of ids of one device leave one open conversation', async (t) => {
    const uid = someone();
    for (let round = 0; round < 50; round++)
      await Promise.all(Array.from({ length: 4 }, () => open(uid, randomUUID())));
    t.equal((await sql`select 1 from conversations where uid = ${uid}`).length, 1);
  });

  await t.test('waits for a transaction that decides about the same id', async (t) => {
    const [uid, thief, id] = [someone(), someone(), randomUUID()];
    let second: ReturnType<typeof open> | undefined;
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(hashtextextended(${`conversation ${id}`}, 0))`;
      second = open(thief, id);
      await untilBlocked(sql);
      await transaction`
        insert into conversations (id, uid, status, source, created_at, last_speech_at)
        values (${id}, ${uid}, 'processing', 'svc', now(), now())`;
    });
    t.not((await second!).lease.conversationId, id);
  });

  await t.test('is not given if a record of another user refers to it', async (t) => {
    for (const uid of ['owner', 'thief']) await createUser(sql, { uid });
    const insert: Record<string, (id: string) => Promise<unknown>> = {
      'memories.conversation_id': (id) => sql`
        insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, created_at, updated_at, conversation_id)
        values (gen_random_uuid(), 'owner', 'Likes tea', 'system', 'private', false, false, '', now(), now(), ${id})`,
      'action_items.conversation_id': (id) => sql`
        insert into action_items (id, uid, description, completed, created_at, updated_at, conversation_id)
        values (gen_random_uuid(), 'owner', 'Buy tea', false, now(), now(), ${id})`,
      'speech_usage.conversation_id': (id) =>
        recordSpeech(sql, id, 'owner', [{ day: '2026-03-02', provider: 'local', seconds: 2, words: 4 }]),
      'voice_profiles.conversation_id': (id) => sql`
        with known as (
          insert into people (id, uid, name, created_at, updated_at) values (gen_random_uuid(), 'owner', ${id}, now(), now()) returning id)
        insert into voice_profiles (id, uid, person_id, conversation_id, model, speech_ms, embeddings)
        select gen_random_uuid(), 'owner', id, ${id}, 'm', 1, '\\x00' from known`,
      'recordings.conversation_id': (id) => sql`
        insert into recordings (id, uid, digest, started_at, file, place, bytes, codec, sample_rate, channels, source, conversation_id)
        values (gen_random_uuid(), 'owner', ${Buffer.from(id)}, now(), gen_random_uuid(), 'here', 1, 'opus', 16000, 1, 'sdcard', ${id})`,
      'conversations.merged_into': (id) => sql`
        insert into conversations (id, uid, status, source, created_at, last_speech_at, merged_into)
        values (gen_random_uuid(), 'owner', 'completed', 'phone', now(), now(), ${id})`,
    };
    for (const { table, column } of conversationReferences) {
      const id = randomUUID();
      await insert[`${table}.${column}`]!(id);
      t.not((await open('thief', id)).lease.conversationId, id, `${table}.${column}`);
      if (table !== 'conversations')
        t.equal(
          (await open('owner', id)).lease.conversationId,
          id,
          'what the user has itself is no obstacle',
        );
    }
    const known = [...conversationReferences, ...shownReferences].map(
      ({ table, column }) => `${table}.${column}`,
    );
    const columns = await sql<{ name: string }[]>`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = current_schema() and (c.column_name like '%conversation%' or c.column_name = 'merged_into')
        and c.udt_name in ('uuid', '_uuid', 'text', '_text') and not exists (
          select from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
          where f.contype = 'f' and f.confrelid = 'conversations'::regclass and a.attname = c.column_name
            and f.conrelid = c.table_name::regclass)`;
    t.strictSame(columns.map(({ name }) => name).sort(), known.sort(), 'every column is in one of the lists');
  });

  await t.test("after an account's deletion no pending work reaches the next owner of the id", async (t) => {
    const id = randomUUID();
    const owner = `leaving-${id}`;
    const next = `next-${id}`;
    for (const uid of [owner, next]) await createUser(sql, { uid });
    const first = await open(owner, id);
    await say(first.lease, 'Private words.');
    await journal.finish(first.lease, startOfTime);
    const claimed = (await claimFinished(sql, id))!;
    await requestSteps(sql, owner, id, [{ step: 'memories', again: true }]);
    const step = (await beginStep(sql, { step: 'memories', key: id, run: 1 }, 60))!;
    await beginDeletion(sql, owner);
    await removeAccounts(sql, silent);

    const taken = await open(next, id);
    t.equal(taken.lease.conversationId, id, 'the id is free');
    t.equal(taken.segmentCount, 0);
    t.equal((await say(first.lease, 'More private words.')).get(id), 'fenced');
    t.equal(await journal.finish(first.lease, startOfTime), 'fenced');
    await journal.release(first.lease);
    t.equal(
      await journal.storePhoto(
        first.lease,
        { id: randomUUID(), place: 'here', file: randomUUID(), contentType: 'image/png', bytes: 1 },
        { conversation: 10, user: 1000, total: 1000 },
        startOfTime,
      ),
      'fenced',
    );
    await say(taken.lease, 'My words.');
    await journal.finish(taken.lease, startOfTime);
    await requestSteps(sql, next, id, [{ step: 'memories', again: true }]);
    const summary = {
      structured: {
        title: 'Private',
        overview: '',
        emoji: '',
        category: 'other',
        action_items: [],
        events: [],
      },
      generatedBy: 'model',
      discarded: false,
      folder: null,
    };
    const end = { generatedBy: 'model', error: null };
    t.equal(
      await completeFinished(sql, claimed, summary as never, [], { end, steps: [], day: null }),
      false,
      'a summary that was under way is not stored in it',
    );
    t.equal(await endStep(sql, step, end), false, 'nor does a step end that of the next owner');
    t.match(await rowOf(id), { uid: next, status: 'processing' });
    t.strictSame(await texts(id), ['My words.']);
  });

  await t.test('usage of one user stays counted when another user has the id', async (t) => {
    const id = randomUUID();
    for (const uid of [`used-${id}`, `later-${id}`]) await createUser(sql, { uid });
    await recordSpeech(sql, id, `used-${id}`, [
      { day: '2026-03-02', provider: 'local', seconds: 2, words: 4 },
    ]);
    await recordSpeech(sql, id, `later-${id}`, []);
    t.equal((await sql`select 1 from speech_usage where conversation_id = ${id}`).length, 1);
  });
});

t.test('a conversation id proposed during a database outage', async (t) => {
  const { url, sql } = await testDatabase(t);
  const { journal, proxy, level } = await proxiedJournal(t, url);
  const texts = (id: string) => storedTexts(sql, id);

  await t.test('is not used, and the conversation gets a new id', async (t) => {
    const id = randomUUID();
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at)
      values (${id}, 'ada', 'in_progress', 'svc', now(), now())`;
    proxy.mode = 'refused';
    const begun = await journal.open(opening({ uid: 'bob', proposed: id }));
    t.match(begun, { resumed: false, past: null });
    t.not(begun.lease.conversationId, id);
    await journal.commit([change(begun.lease, [stored(randomUUID(), "Bob's words.")])]);
    proxy.mode = 'open';
    await level();
    t.strictSame(await texts(id), []);
    t.strictSame(await texts(begun.lease.conversationId), ["Bob's words."]);
  });

  for (const how of ['begun while the database was away', 'begun in it and swept as empty'] as const) {
    await t.test(`takes nothing from a user whose words are in a spill: ${how}`, async (t) => {
      const [owner, thief] = [`owner ${how}`, `thief ${how}`];
      const { journal: direct } = await testJournal(url, t.testdir({}), { databaseTimeout: 10_000 });
      t.teardown(() => direct.close(0));
      const proposed = how === 'begun in it and swept as empty' ? randomUUID() : null;
      if (proposed === null) proxy.mode = 'refused';
      const { lease } = await journal.open(opening({ uid: owner, proposed }));
      proxy.mode = 'refused';
      const id = lease.conversationId;
      const said = (text: string, position: number) =>
        journal.commit([change(lease, [stored(randomUUID(), text, position)])]);
      t.equal((await said('Private one.', 0)).get(id), 'spill');
      await sql`delete from conversations where id = ${id}`;

      const stolen = await direct.open(opening({ uid: thief, proposed: id }));
      t.equal(stolen.lease.conversationId, id, 'nothing in the database says whose it is');
      await direct.commit([change(stolen.lease, [stored(randomUUID(), 'Another voice.')])]);
      t.equal((await said('Private two.', 1)).get(id), 'spill');
      if (proposed === null) await journal.finish(lease, startOfTime);
      proxy.mode = 'open';
      await level();
      t.strictSame(await texts(id), ['Another voice.'], 'no word of the owner');
      const [row] = await sql<{ uid: string; status: string; epoch: number }[]>`
        select uid, status, epoch from conversations where id = ${id}`;
      t.match(row, { uid: thief, status: 'in_progress', epoch: stolen.lease.epoch });
      const kept = await sql<{ id: string }[]>`select id from conversations where uid = ${owner}`;
      t.equal(kept.length, 1, 'the words of the owner are in one conversation');
      t.strictSame(await texts(kept[0]!.id), ['Private one.', 'Private two.']);
      t.equal(
        (await direct.commit([change(stolen.lease, [stored(randomUUID(), 'More.', 1)])])).get(id),
        'database',
      );
      // The journal removes the empty spill, and then tries the database again.
      await until(
        async () => (await journal.conversation(owner, kept[0]!.id)) !== null,
        'the end of the outage',
      );
      t.match(
        await journal.open(opening({ uid: owner })),
        { resumed: true, segmentCount: 2 },
        'which goes on',
      );
    });
  }
});
