/**
 * Tests that the position of a device's audio is stored together with the words of this audio, in the database and in
 * the spill.
 */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';
import { change, opening, proxiedJournal, startOfTime, stored, storedTexts } from '../support.js';

const at = (clock: string, ...confirmed: number[]) => ({ audio: { clock, confirmed } });

t.test('positions of audio', async (t) => {
  const { url, sql } = await testDatabase(t);
  const keyOf = (uid: string) => ({ uid, source: 'omi', deviceId: null });

  await t.test('are stored with the words of the same commit, for each track', async (t) => {
    const { journal } = await proxiedJournal(t, url);
    const key = keyOf('commit');
    const { lease } = await journal.open(opening({ uid: 'commit' }));
    t.equal(await journal.audioConfirmed(key, 'clock'), null);
    await journal.commit([change(lease, [stored('a', 'one')], at('clock', 1000.5, 2000))]);
    t.same((await journal.audioConfirmed(key, 'clock'))?.confirmed, [1000.5, 2000]);
    await journal.commit([change(lease, [stored('b', 'two', 1)])]);
    t.same(
      (await journal.audioConfirmed(key, 'clock'))?.confirmed,
      [1000.5, 2000],
      'a change without a clock leaves them',
    );
    t.equal(await journal.audioConfirmed(key, 'other'), null);
    t.equal(await journal.audioConfirmed({ ...key, deviceId: 'device' }, 'clock'), null);
    t.equal(await journal.audioConfirmed(keyOf('other'), 'clock'), null);
  });

  await t.test('have the time at which the recording began, until another clock is stored', async (t) => {
    const { journal, proxy, level } = await proxiedJournal(t, url);
    const key = keyOf('times');
    const { lease } = await journal.open(opening({ uid: 'times' }));
    const began = async (clock = 'clock') => (await journal.audioConfirmed(key, clock))?.began;
    const write = (id: string, clock: string, time?: number) =>
      journal.commit([change(lease, [stored(id, id)], { audio: { clock, confirmed: [1000], began: time } })]);
    await write('a', 'clock', startOfTime + 5.5);
    t.equal(await began(), startOfTime + 5);
    await write('b', 'clock');
    t.equal(await began(), startOfTime + 5, 'a change without a time leaves it');
    proxy.mode = 'refused';
    t.equal((await write('c', 'clock', startOfTime + 9)).get(lease.conversationId), 'spill');
    proxy.mode = 'open';
    await level();
    await until(async () => (await began()) === startOfTime + 9);
    await write('d', 'other');
    t.equal(await began('other'), null);
  });

  await t.test('outlive the conversation, and are not stored by a lost lease', async (t) => {
    const { journal } = await proxiedJournal(t, url);
    const { journal: newer } = await proxiedJournal(t, url);
    const key = keyOf('lost');
    const { lease } = await journal.open(opening({ uid: 'lost' }));
    await journal.commit([change(lease, [stored('c', 'one')], at('clock', 1000))]);
    const { lease: taken } = await newer.open(opening({ uid: 'lost' }));
    const late = await journal.commit([change(lease, [stored('d', 'two', 1)], at('clock', 2000))]);
    t.equal(late.get(lease.conversationId), 'fenced');
    t.same((await newer.audioConfirmed(key, 'clock'))?.confirmed, [1000]);
    await newer.finish(taken, startOfTime);
    t.same((await newer.audioConfirmed(key, 'clock'))?.confirmed, [1000]);
  });

  await t.test('are spilled and replayed with their words', async (t) => {
    const { journal, proxy, level } = await proxiedJournal(t, url);
    const key = keyOf('spill');
    const { lease } = await journal.open(opening({ uid: 'spill' }));
    proxy.mode = 'refused';
    const spilled = await journal.commit([change(lease, [stored('e', 'one')], at('clock', 3000))]);
    t.equal(spilled.get(lease.conversationId), 'spill');
    t.equal(await journal.audioConfirmed(key, 'clock'), null, 'the database is away');
    proxy.mode = 'open';
    await level();
    await until(async () => (await storedTexts(sql, lease.conversationId)).length === 1);
    // The journal reads again once its spill is empty, shortly after the words are stored.
    await until(async () => (await journal.audioConfirmed(key, 'clock')) !== null);
    t.same((await journal.audioConfirmed(key, 'clock'))?.confirmed, [3000]);
  });

  await t.test('are searched only among the newest conversations of a user', async (t) => {
    const { journal } = await proxiedJournal(t, url);
    const { lease } = await journal.open(opening({ uid: 'many' }));
    await journal.commit([change(lease, [stored('f', 'one')], at('clock', 1000))]);
    await journal.finish(lease, startOfTime);
    const add = (count: number) => sql`
      insert into conversations (id, uid, status, source, language, created_at, last_speech_at, timeout_seconds)
      select gen_random_uuid(), 'many', 'completed', 'omi', 'en', now(), now(), 120 from generate_series(1, ${count})`;
    await add(fixedLimits.clockConversations.value - 1);
    t.same((await journal.audioConfirmed(keyOf('many'), 'clock'))?.confirmed, [1000]);
    await add(1);
    t.equal(await journal.audioConfirmed(keyOf('many'), 'clock'), null);
  });
});
