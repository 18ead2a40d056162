/** Tests how a journal keeps the lease that covers its conversations. */
import t from 'tap';
import { sweepOrphans } from '../../src/store/jobs/sweep.js';
import { testDatabase } from '../support/database/database.js';
import { change, opening, proxiedJournal, stored, testJournal } from './support.js';

t.test('the lease of a journal', async (t) => {
  const { url, sql } = await testDatabase(t);
  const holderOf = async (id: string): Promise<string | null> =>
    (await sql<{ engine: string | null }[]>`select engine from conversations where id = ${id}`)[0]!.engine;
  const fallSilent = (id: string) =>
    sql`update conversations set last_speech_at = now() - interval '1 hour' where id = ${id}`;
  const isAlive = async (holder: string | null): Promise<boolean> =>
    (await sql`select 1 from engine_leases where engine = ${holder} and expires_at > now()`).length === 1;
  const expire = (holder: string | null) =>
    sql`update engine_leases set expires_at = now() - interval '1 second' where engine = ${holder}`;

  await t.test('covers all conversations, and ends for the earlier run of a restarted engine', async (t) => {
    const run = async () => {
      const { journal } = await testJournal(url, t.testdir(), { engineId: 'same', databaseTimeout: 10_000 });
      t.teardown(() => journal.close(0));
      const open = async (uid: string) => (await journal.open(opening({ uid, now: Date.now() }))).lease;
      return { journal, open };
    };
    const first = await run();
    const [ann, bob] = await Promise.all([first.open('ann'), first.open('bob')]);
    const holder = await holderOf(ann.conversationId);
    t.match(holder, /^same\/0\//);
    t.equal(await holderOf(bob.conversationId), holder);
    t.ok(await isAlive(holder));
    await first.journal.commit([change(ann, [stored('a', 'one')], { lastSpeechAt: Date.now() })]);

    // The engine starts again with the same id. From now on, its first run does not renew the first lease any more.
    const second = await run();
    const eve = await second.open('eve');
    t.not(await holderOf(eve.conversationId), holder, 'each run has a lease of its own');
    await expire(holder);
    await second.journal.renew();
    for (const { conversationId } of [ann, bob, eve]) await fallSilent(conversationId);
    t.same(
      await sweepOrphans(sql, 0),
      { finished: [ann.conversationId], deleted: [bob.conversationId] },
      'the renewal of the next run does not keep them open',
    );

    await expire(await holderOf(eve.conversationId));
    await second.journal.renew();
    t.same(await sweepOrphans(sql, 0), { finished: [], deleted: [] }, 'a renewal revives an expired lease');
    await second.journal.release(eve);
    t.equal(await holderOf(eve.conversationId), null);
    t.same(await sweepOrphans(sql, 0), { finished: [], deleted: [eve.conversationId] });
  });

  await t.test('is renewed at once when the database answers again', async (t) => {
    const { journal, proxy, level } = await proxiedJournal(t, url);
    const { lease } = await journal.open(opening({ uid: 'idle', now: Date.now() }));
    const talking = (await journal.open(opening({ uid: 'talking', now: Date.now() }))).lease;
    const holder = await holderOf(lease.conversationId);
    proxy.mode = 'refused';
    await journal.commit([change(talking, [stored('a', 'one')], { lastSpeechAt: Date.now() })]);
    await expire(holder);
    proxy.mode = 'open';
    await level();
    t.ok(await isAlive(holder), 'before anything else is written');
    await fallSilent(lease.conversationId);
    t.same(await sweepOrphans(sql, 0), { finished: [], deleted: [] });
  });

  await t.test('does not cover what an earlier run left in its spill', async (t) => {
    const spillDir = t.testdir();
    const options = { engineId: 'left', databaseTimeout: 10_000 };
    const { journal, proxy } = await proxiedJournal(t, url, options);
    void journal;
    const first = await testJournal(proxy.url, spillDir, { ...options, shard: 1 });
    const { lease } = await first.journal.open(opening({ uid: 'left', now: Date.now() }));
    proxy.mode = 'refused';
    await first.journal.commit([change(lease, [stored('a', 'one')], { lastSpeechAt: Date.now() })]);
    await first.journal.close(0);
    const next = await testJournal(url, spillDir, { ...options, shard: 1 });
    t.teardown(() => next.journal.close(0));
    t.equal(await holderOf(lease.conversationId), 'ended');
    await fallSilent(lease.conversationId);
    t.same(await sweepOrphans(sql, 0), { finished: [lease.conversationId], deleted: [] });
  });
});
