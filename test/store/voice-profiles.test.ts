/** What is kept of voices: whose, how many, and when it goes. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../src/identity/index.js';
import { insertPerson, removePerson } from '../../src/store/people.js';
import {
  learnVoice,
  readKnownVoices,
  readOwnerVoice,
  removeOwnerVoice,
  removePersonVoices,
  unlearnVoice,
  type VoicePrint,
  writeOwnerVoice,
} from '../../src/store/voice-profiles.js';
import { voiceBounds } from '../../src/wire/voice-bounds.js';
import { testDatabase } from '../support/database.js';

const vectors = { model: 'ge2e', dimensions: 4 };
const voice = (...embeddings: number[][]): VoicePrint => ({
  model: 'ge2e',
  speech: 12_000.4,
  embeddings: embeddings.map((values) => Float32Array.from(values)),
});
const one = [0.5, -0.25, 0, 1];
const other = [0, 1, 0, 0];

t.test('voices of a user and of the people whom the user knows', async (t) => {
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
    const { voices } = await readKnownVoices(sql, uid, vectors);
    return voices.map(({ personId, name, embeddings }) => [
      personId,
      name,
      embeddings.map((vector) => [...vector]),
    ]);
  };

  await t.test('the last enrolment of an owner counts, in all of its conditions', async (t) => {
    const uid = await user();
    t.equal(await readOwnerVoice(sql, uid), null);
    t.equal(await writeOwnerVoice(sql, uid, voice(other)), true);
    t.equal(await writeOwnerVoice(sql, uid, voice(one, other)), true);
    t.same(await known(uid), [[null, '', [one, other]]]);
    t.match(await readOwnerVoice(sql, uid), { speech_ms: 12_000, model: 'ge2e' });
    t.same((await readKnownVoices(sql, uid, { ...vectors, model: 'another' })).voices, []);
    await removeOwnerVoice(sql, uid);
    t.same(await known(uid), []);
    t.equal(await writeOwnerVoice(sql, 'nobody', voice(one)), false);
  });

  await t.test('of a person the newest recordings are kept, one a conversation', async (t) => {
    const uid = await user();
    const personId = await addPerson(uid);
    const conversations = Array.from({ length: voiceBounds.samples + 2 }, () => randomUUID());
    for (const [index, conversationId] of conversations.entries()) {
      for (const repeated of [0, 0.5]) {
        const kept = await learnVoice(sql, { uid, personId, conversationId }, voice([index, repeated, 0, 0]));
        t.equal(kept, true);
      }
    }
    t.same(
      await known(uid),
      [4, 3, 2].map((index) => [personId, 'Ada', [[index, 0.5, 0, 0]]]),
    );
    await unlearnVoice(sql, { uid, personId, conversationId: conversations.at(-1)! });
    t.equal((await known(uid)).length, 2);
    t.equal(await removePersonVoices(sql, await user(), personId), false, 'not by another user');
    t.equal((await known(uid)).length, 2);
    t.equal(await removePersonVoices(sql, uid, personId), true);
    t.same(await known(uid), []);
  });

  await t.test('nothing is kept of people of others, unknown ones, or for who turned it off', async (t) => {
    const uid = await user();
    const personId = await addPerson(uid);
    const foreign = await addPerson(await user());
    for (const id of [foreign, randomUUID(), 'no id'])
      t.equal(
        await learnVoice(sql, { uid, personId: id, conversationId: randomUUID() }, voice(one)),
        false,
        id,
      );
    await writeOwnerVoice(sql, uid, voice(one));
    await sql`update users set voice_recognition = false where uid = ${uid}`;
    t.equal(await learnVoice(sql, { uid, personId, conversationId: randomUUID() }, voice(one)), false);
    t.same(await readKnownVoices(sql, uid, vectors), { allowed: false, voices: [] });
  });

  await t.test('so many people have a voice at most', async (t) => {
    const uid = await user();
    await sql`
      insert into people (id, uid, name, created_at, updated_at)
      select gen_random_uuid(), ${uid}, 'Person', now(), now() from generate_series(1, ${voiceBounds.people + 1})`;
    const people = await sql<{ id: string }[]>`select id from people where uid = ${uid}`;
    const kept: boolean[] = [];
    for (const { id: personId } of people)
      kept.push(await learnVoice(sql, { uid, personId, conversationId: randomUUID() }, voice(one)));
    t.same(
      [kept.filter(Boolean).length, kept.at(-1)],
      [voiceBounds.people, false],
      'one more person has none',
    );
    const again = { uid, personId: people[0]!.id, conversationId: randomUUID() };
    t.equal(await learnVoice(sql, again, voice(one)), true, 'those that have one may have another');
  });

  await t.test('a voice goes with its person', async (t) => {
    const uid = await user();
    const personId = await addPerson(uid);
    await learnVoice(sql, { uid, personId, conversationId: randomUUID() }, voice(one));
    await removePerson(sql, uid, personId);
    t.same(await known(uid), []);
    const [left] = await sql`select 1 from voice_profiles where uid = ${uid}`;
    t.equal(left, undefined);
  });
});
