/** Tests a journal that releases many conversations at once, as a shard does when it drains. */
import t from 'tap';
import type { Lease } from '../../src/journal/journal.js';
import { testDatabase } from '../support/database/database.js';
import { change, opening, proxiedJournal, stored as storedSegment, storedTexts } from './support.js';

const users = Array.from({ length: 20 }, (_, number) => `user-${number}`);

t.test('releases conversations together', { timeout: 120_000 }, async (t) => {
  const { url, sql } = await testDatabase(t);
  await sql`insert into users (uid) select 'user-' || n from generate_series(0, ${users.length - 1}) n`;
  const { journal, proxy, level } = await proxiedJournal(t, url);
  const openAll = (): Promise<Lease[]> =>
    Promise.all(users.map(async (uid) => (await journal.open(opening({ uid }))).lease));
  const state = async () => {
    const [row] = await sql<{ held: number; voices: number }[]>`
      select count(*) filter (where engine is not null)::integer as held, count(v.conversation_id)::integer as voices
      from conversations c left join conversation_voices v on v.conversation_id = c.id`;
    return row;
  };
  const voices = Uint8Array.of(1, 2, 3);

  await t.test('with their voices, after their words', async (t) => {
    const leases = await openAll();
    t.same(await state(), { held: users.length, voices: 0 });
    const ends = await Promise.all(
      leases.map(async (lease, index) => {
        await journal.commit([change(lease, [storedSegment(`words ${index}`, 'words')])]);
        return journal.release(lease, index % 2 === 0 ? voices : undefined);
      }),
    );
    t.same(new Set(ends), new Set(['database']));
    t.same(await state(), { held: 0, voices: users.length / 2 });
    t.same(await storedTexts(sql, leases.at(-1)!.conversationId), ['words']);
  });

  await t.test('also if the database refuses the voices of one', async (t) => {
    const leases = await openAll();
    const tooLarge = new Uint8Array(10_000);
    await Promise.all(leases.map((lease, index) => journal.release(lease, index === 7 ? tooLarge : voices)));
    t.same(await state(), { held: 0, voices: users.length - 1 });
  });

  await t.test('through the spill while the database is unavailable', async (t) => {
    const leases = await openAll();
    await sql`delete from conversation_voices`;
    proxy.mode = 'refused';
    const ends = await Promise.all(leases.map((lease) => journal.release(lease, voices)));
    t.same(new Set(ends), new Set(['spill']));
    proxy.mode = 'open';
    await level();
    t.same(await state(), { held: 0, voices: 0 }, 'voices are not written to the spill');
  });
});
