/** Tests stored voice profiles: their owners, their number and their deletion. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import type { TransactionSql } from '../../src/store/client/database.js';
import { insertPerson, removePerson } from '../../src/store/records/people.js';
import {
  learnVoice,
  readKnownVoices,
  readOwnerVoice,
  removeOwnerVoice,
  removePersonVoices,
  unlearnVoice,
  type VoicePrint,
  writeOwnerVoice,
} from '../../src/store/records/voice-profiles.js';
import type { VoiceBounds } from '../../src/wire/records/people.js';
import { testDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

/** Returns the limits of voice profiles with these variables of the environment. */
const boundsOf = (environment: Record<string, string>): VoiceBounds => {
  const { voiceSamples, voicePeople } = loadSettings(environment).values;
  return { samples: voiceSamples, people: voicePeople };
};
const voiceBounds = boundsOf({ VOICE_PEOPLE: '5' });
const vectors = { model: 'ge2e', dimensions: 4 };
const voice = (...embeddings: number[][]): VoicePrint => ({
  model: 'ge2e',
  speech: 12_000.4,
  embeddings: embeddings.map((values) => Float32Array.from(values)),
});
const one = [0.5, -0.25, 0, 1];
const other = [0, 1, 0, 0];

t.test('VOICE_SAMPLES and VOICE_PEOPLE set the limits of voice profiles', async (t) => {
  t.same(boundsOf({}), { samples: 3, people: 100 });
  t.same(boundsOf({ VOICE_SAMPLES: '1', VOICE_PEOPLE: '300' }), { samples: 1, people: 300 });
  for (const [name, value] of [
    ['VOICE_SAMPLES', '11'],
    ['VOICE_SAMPLES', '0'],
    ['VOICE_PEOPLE', '301'],
  ] as const)
    t.throws(() => boundsOf({ [name]: value }), new RegExp(name), `${name}=${value}`);
});

t.test("voice profiles of a user and of the user's people", async (t) => {
  const { sql } = await testDatabase(t);
  const addPerson = async (uid: string, name = 'Ada'): Promise<string> => {
    const now = new Date();
    const person = { id: randomUUID(), name, created_at: now, updated_at: now };
    await sql.begin((transaction) => insertPerson(transaction, uid, person, 1000));
    return person.id;
  };
  const user = async (): Promise<string> => {
    const uid = randomUUID();
    await createUser(sql, { uid });
    return uid;
  };
  const known = async (uid: string) => {
    const { voices } = await readKnownVoices(sql, uid, vectors, voiceBounds);
    return voices.map(({ personId, name, embeddings }) => [
      personId,
      name,
      embeddings.map((vector) => [...vector]),
    ]);
  };

  await t.test('only the latest enrolment of the owner remains, with all of its embeddings', async (t) => {
    const uid = await user();
    t.equal(await readOwnerVoice(sql, uid), null);
    t.equal(await writeOwnerVoice(sql, uid, voice(other)), true);
    t.equal(await writeOwnerVoice(sql, uid, voice(one, other)), true);
    t.same(await known(uid), [[null, '', [one, other]]]);
    t.match(await readOwnerVoice(sql, uid), { speech_ms: 12_000, model: 'ge2e' });
    t.same((await readKnownVoices(sql, uid, { ...vectors, model: 'another' }, voiceBounds)).voices, []);
    await removeOwnerVoice(sql, uid);
    t.same(await known(uid), []);
    t.equal(await writeOwnerVoice(sql, 'nobody', voice(one)), false);
  });

  await t.test("keeps a person's newest recordings, one for each conversation", async (t) => {
    const uid = await user();
    const personId = await addPerson(uid);
    const conversations = Array.from({ length: voiceBounds.samples + 2 }, () => randomUUID());
    for (const [index, conversationId] of conversations.entries()) {
      for (const repeated of [0, 0.5]) {
        const kept = await learnVoice(
          sql,
          { uid, personId, conversationId },
          voice([index, repeated, 0, 0]),
          voiceBounds,
        );
        t.equal(kept, true);
      }
    }
    t.same(
      await known(uid),
      [4, 3, 2].map((index) => [personId, 'Ada', [[index, 0.5, 0, 0]]]),
    );
    await unlearnVoice(sql, { uid, personId, conversationId: conversations.at(-1)! });
    t.equal((await known(uid)).length, 2);
    t.equal(await removePersonVoices(sql, await user(), personId), false, 'another user cannot remove them');
    t.equal((await known(uid)).length, 2);
    t.equal(await removePersonVoices(sql, uid, personId), true);
    t.same(await known(uid), []);
  });

  await t.test(
    'refuses people of others, unknown people, and users who disabled voice recognition',
    async (t) => {
      const uid = await user();
      const personId = await addPerson(uid);
      const foreign = await addPerson(await user());
      for (const id of [foreign, randomUUID(), 'no id'])
        t.equal(
          await learnVoice(sql, { uid, personId: id, conversationId: randomUUID() }, voice(one), voiceBounds),
          false,
          id,
        );
      await writeOwnerVoice(sql, uid, voice(one));
      await sql`update users set voice_recognition = false where uid = ${uid}`;
      t.equal(
        await learnVoice(sql, { uid, personId, conversationId: randomUUID() }, voice(one), voiceBounds),
        false,
      );
      t.same(await readKnownVoices(sql, uid, vectors, voiceBounds), { allowed: false, voices: [] });
    },
  );

  await t.test('limits the number of people with a voice profile', async (t) => {
    const uid = await user();
    await sql`
      insert into people (id, uid, name, created_at, updated_at)
      select gen_random_uuid(), ${uid}, 'Person', now(), now() from generate_series(1, ${voiceBounds.people + 1})`;
    const people = await sql<{ id: string }[]>`select id from people where uid = ${uid}`;
    const kept: boolean[] = [];
    for (const { id: personId } of people)
      kept.push(
        await learnVoice(sql, { uid, personId, conversationId: randomUUID() }, voice(one), voiceBounds),
      );
    t.same(
      [kept.filter(Boolean).length, kept.at(-1)],
      [voiceBounds.people, false],
      'one person above the limit is refused',
    );
    const again = { uid, personId: people[0]!.id, conversationId: randomUUID() };
    t.equal(
      await learnVoice(sql, again, voice(one), voiceBounds),
      true,
      'a person with a profile may get another recording',
    );
    const lower = boundsOf({ VOICE_SAMPLES: '1', VOICE_PEOPLE: '2' });
    await writeOwnerVoice(sql, uid, voice(other));
    await sql`update voice_profiles set created_at = now() - interval '1 day' where uid = ${uid} and person_id is null`;
    const { voices } = await readKnownVoices(sql, uid, vectors, lower);
    t.same([voices.length, voices[0]?.personId], [3, null], 'a lower limit omits people, but not the user');
    t.equal(
      await learnVoice(sql, { ...again, conversationId: randomUUID() }, voice(one), lower),
      false,
      'no profile is added while there are more people than the limit',
    );
  });

  await t.test('reads many voice profiles in small slices and in order', async (t) => {
    const uid = await user();
    const most = boundsOf({ VOICE_SAMPLES: '10', VOICE_PEOPLE: '300' });
    await sql`
      insert into people (id, uid, name, created_at, updated_at)
      select gen_random_uuid(), ${uid}, 'Person ' || n, now(), now() from generate_series(1, 300) n`;
    await sql`
      insert into voice_profiles (id, uid, person_id, conversation_id, model, speech_ms, embeddings, created_at)
      select gen_random_uuid(), p.uid, p.id, gen_random_uuid(), 'ge2e', 12000, decode(repeat('0000803f', 4), 'hex'),
        now() - n * interval '1 minute' - right(p.name, 1)::int * interval '1 second'
      from people p, generate_series(1, 11) n where p.uid = ${uid}`;
    await writeOwnerVoice(sql, uid, voice(one));
    const sizes: number[] = [];
    const sliced = ((...given: Parameters<typeof sql>) =>
      sql(...given).then((rows) => {
        sizes.push((rows as unknown[]).length);
        return rows;
      })) as unknown as typeof sql;
    const { voices } = await readKnownVoices(sliced, uid, vectors, most);
    t.equal(voices.length, 3001);
    t.ok(
      Math.max(...sizes) <= 100,
      'a statement returns at most 100 rows, which the thread reads in 1 to 2 ms',
    );
    t.equal(voices[0]?.personId, null);
    t.match(voices[0]?.embeddings, [one]);
    t.equal(new Set(voices.slice(1, 301).map(({ personId }) => personId)).size, 300, 'newest first');
    t.match(voices.at(-1), { name: /^Person /, embeddings: [[1, 1, 1, 1]] });
  });

  await t.test("removing a person removes the person's voice profile", async (t) => {
    const uid = await user();
    const personId = await addPerson(uid);
    await learnVoice(sql, { uid, personId, conversationId: randomUUID() }, voice(one), voiceBounds);
    await removePerson(sql, uid, personId);
    t.same(await known(uid), []);
    const [left] = await sql`select 1 from voice_profiles where uid = ${uid}`;
    t.equal(left, undefined);
  });

  await t.test('a voice profile is not stored while its account or person is being deleted', async (t) => {
    const uid = await user();
    const personId = await addPerson(uid);
    const learn = () =>
      learnVoice(sql, { uid, personId, conversationId: randomUUID() }, voice(one), voiceBounds);
    const enrol = () => writeOwnerVoice(sql, uid, voice(one));
    const table: readonly [
      string,
      (transaction: TransactionSql) => Promise<unknown>,
      () => Promise<boolean>,
    ][] = [
      ['person', (transaction) => transaction`delete from people where id = ${personId}`, learn],
      ['account', (transaction) => transaction`delete from users where uid = ${uid}`, enrol],
    ];
    for (const [what, remove, keep] of table) {
      let kept: Promise<boolean> | undefined;
      await sql.begin(async (transaction) => {
        await remove(transaction);
        kept = keep();
        kept.catch(() => undefined);
        const waiting = async () =>
          (
            await sql`select 1 from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into voice_profiles%'`
          ).length > 0;
        await until(waiting, 'the statement waits for the deletion');
      });
      t.equal(await kept, false, what);
      t.equal((await sql`select 1 from voice_profiles where uid = ${uid}`).length, 0, what);
    }
  });
});
