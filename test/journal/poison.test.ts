/** Tests that only one conversation is affected if the database refuses an entry because of this conversation. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { JournalOptions } from '../../src/journal/options.js';
import { listRejected, readRejected } from '../../src/journal/rejected.js';
import { createLogger } from '../../src/log/logger.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { testDatabase, untilBlocked } from '../support/database/database.js';
import { until } from '../support/until.js';
import { change, opening, proxiedJournal, stored, storedTexts, type testJournal } from './support.js';

t.test('a journal with entries that the database refuses', async (t) => {
  const { url, sql } = await testDatabase(t);
  // Simulates a constraint of a later release or of an operator.
  await sql`alter table segments add constraint harmless check (text not like 'poison%')`;
  const proxied = (t: Test, changes: Partial<JournalOptions> = {}) => proxiedJournal(t, url, changes);
  const texts = (id: string) => storedTexts(sql, id);
  const openMany = async (
    journal: Awaited<ReturnType<typeof testJournal>>['journal'],
    name: string,
    count: number,
  ) =>
    Promise.all(
      Array.from(
        { length: count },
        async (_, index) => (await journal.open(opening({ uid: `${name}${index}` }))).lease,
      ),
    );
  /** Three of 40 conversations are poisoned. */
  const poisoned = [3, 17, 39];
  const words = (index: number): string => (poisoned.includes(index) ? 'poison' : `fine ${index}`);

  await t.test('sets aside only the refused ones of a tick, and spills nothing', async (t) => {
    const { journal, metrics, spillDir } = await proxied(t);
    const leases = await openMany(journal, 'tick', 40);
    const outcome = await journal.commit(
      leases.map((lease, index) => change(lease, [stored('a', words(index))])),
    );
    t.strictSame([...new Set(outcome.values())], ['database']);
    for (const [index, lease] of leases.entries())
      t.strictSame(await texts(lease.conversationId), poisoned.includes(index) ? [] : [`fine ${index}`]);
    t.equal(metrics.get('journal_spilled_total'), 0, 'it is no outage');
    t.equal(metrics.get('journal_rejected_total'), poisoned.length);
    t.equal(metrics.get('acknowledged_total{durability="database"}'), 40 - poisoned.length);
    t.equal(metrics.get('acknowledged_total{durability="disk"}'), poisoned.length);
    const rejected = listRejected(spillDir);
    t.strictSame(
      rejected.map(({ reason }) => reason),
      ['23514', '23514', '23514'],
    );
    t.equal(
      metrics.get('journal_rejected_bytes'),
      rejected.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    const ids = rejected.map((entry) => {
      const content = readRejected(spillDir, entry);
      return content?.kind === 'commit' ? content.changes.map(({ conversation }) => conversation.id) : [];
    });
    t.strictSame(ids.flat().sort(), poisoned.map((index) => leases[index]!.conversationId).sort());
  });

  await t.test('sets aside only the refused ones of a spill entry', async (t) => {
    const { journal, metrics, proxy, spillDir, level } = await proxied(t);
    const leases = await openMany(journal, 'spill', 40);
    proxy.mode = 'refused';
    const outcome = await journal.commit(
      leases.map((lease, index) => change(lease, [stored('a', words(index))])),
    );
    t.strictSame([...new Set(outcome.values())], ['spill']);
    await journal.commit(leases.map((lease, index) => change(lease, [stored('b', `more ${index}`, 1)])));
    proxy.mode = 'open';
    await level();
    for (const [index, lease] of leases.entries())
      t.strictSame(
        await texts(lease.conversationId),
        poisoned.includes(index) ? [`more ${index}`] : [`fine ${index}`, `more ${index}`],
      );
    t.equal(metrics.get('journal_rejected_total'), poisoned.length);
    t.equal(listRejected(spillDir).length, poisoned.length);
  });

  await t.test(
    'compares an entry refused for an unknown reason with others before setting it aside',
    async (t) => {
      const { journal, proxy, spillDir, level } = await proxied(t);
      const [bad, good] = await openMany(journal, 'unknown', 2);
      await sql.unsafe(`
      create function moody() returns trigger language plpgsql as
        $$ begin if new.text = 'moody' then raise exception 'not today'; end if; return new; end $$;
      create trigger moody before insert on segments for each row execute function moody()`);
      t.teardown(() => sql.unsafe('drop function if exists moody cascade'));
      proxy.mode = 'refused';
      await journal.commit([change(bad!, [stored('a', 'moody')])]);
      await journal.commit([change(good!, [stored('a', 'fine')])]);
      proxy.mode = 'open';
      await level();
      t.strictSame(await texts(good!.conversationId), ['fine']);
      t.strictSame(
        listRejected(spillDir).map(({ reason }) => reason),
        ['P0001'],
      );
    },
  );

  await t.test('sets nothing aside when the reason concerns all entries', async (t) => {
    let refused = 0;
    const log = Object.assign(createLogger('test', 'silent'), { error: () => refused++ });
    const { journal, proxy, spillDir, level } = await proxied(t, { log });
    const leases = await openMany(journal, 'everything', 3);
    proxy.mode = 'refused';
    for (const lease of leases) await journal.commit([change(lease, [stored('a', 'fine')])]);
    await sql`alter table segments rename to segments_away`;
    proxy.mode = 'open';
    await until(() => refused >= 3, 'the database refused the replay three times');
    t.strictSame(listRejected(spillDir), []);
    await sql`alter table segments_away rename to segments`;
    await level();
    for (const { conversationId } of leases) t.strictSame(await texts(conversationId), ['fine']);
  });

  await t.test('writes an entry that takes too long in parts', async (t) => {
    const { journal, proxy, spillDir, level } = await proxied(t, { databaseTimeout: 400 });
    const leases = await openMany(journal, 'long', 12);
    proxy.mode = 'refused';
    await journal.commit(leases.map((lease, index) => change(lease, [stored('a', `word ${index}`)])));
    await sql.unsafe(`
      create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.06); return null; end $$;
      create trigger slow after insert on segments for each row execute function slow()`);
    t.teardown(() => sql.unsafe('drop function if exists slow cascade'));
    proxy.mode = 'open';
    await level();
    for (const [index, { conversationId }] of leases.entries())
      t.strictSame(await texts(conversationId), [`word ${index}`]);
    t.strictSame(listRejected(spillDir), []);
  });

  await t.test('does not acknowledge an entry when the folder of refused entries is full', async (t) => {
    const { journal, metrics, spillDir } = await proxied(t, { rejectedSize: 400 });
    const [bad, good] = await openMany(journal, 'full', 2);
    let outcome = await journal.commit([change(bad!, [stored('a', 'poison')])]);
    t.equal(outcome.get(bad!.conversationId), 'database', 'kept');
    outcome = await journal.commit([
      change(bad!, [stored('b', 'poison')]),
      change(good!, [stored('a', 'fine')]),
    ]);
    t.equal(outcome.get(bad!.conversationId), 'fenced');
    t.equal(outcome.get(good!.conversationId), 'database');
    t.equal(metrics.get('journal_rejected_lost_total'), 1);
    t.equal(readdirSync(join(spillDir, 'rejected')).length, 1);
  });

  await t.test('a conversation that is refused completely ends only its own stream', async (t) => {
    const { journal, metrics } = await proxied(t);
    await sql`alter table conversations add constraint known check (source <> 'forbidden')`;
    t.teardown(() => sql`alter table conversations drop constraint known`);
    await t.rejects(journal.open(opening({ uid: 'whole', source: 'forbidden' })), { code: 'internal' });
    const odd = opening({ uid: 'whole', deviceId: 'nul\0', language: '\ud800', clientPlatform: 'ios\0' });
    const { lease } = await journal.open(odd);
    t.equal(
      (await journal.commit([change(lease, [stored('a', 'fine')])])).get(lease.conversationId),
      'database',
    );
    t.equal(metrics.get('journal_spilled_total'), 0);
  });

  await t.test('does not treat a deadlock as an outage', async (t) => {
    const { journal, metrics } = await proxied(t);
    const leases = await openMany(journal, 'deadlock', 2);
    const [first, second] = leases.map(({ conversationId }) => conversationId).sort();
    const rival = connectDatabase(url, { max: 1 });
    t.teardown(() => rival.end({ timeout: 1 }));
    for (let round = 1; metrics.get('journal_conflicts_total') === 0 && round < 20; round++) {
      const [before, after] = round % 2 === 0 ? [first, second] : [second, first];
      let tookFirst = (): void => undefined;
      const holdsFirst = new Promise<void>((resolve) => {
        tookFirst = resolve;
      });
      let letGoOn = (): void => undefined;
      const journalWaits = new Promise<void>((resolve) => {
        letGoOn = resolve;
      });
      const rivalry = rival
        .begin(async (transaction) => {
          await transaction`select set_config('deadlock_timeout', '5s', true)`.catch(() => undefined);
          await transaction`update conversations set updated_at = now() where id = ${before!}`;
          tookFirst();
          await journalWaits;
          await transaction`update conversations set updated_at = now() where id = ${after!}`;
        })
        .catch(() => undefined);
      await holdsFirst;
      const committed = journal.commit(
        leases.map((lease) => change(lease, [stored(`d${round}`, 'word', round)])),
      );
      await untilBlocked(sql);
      letGoOn();
      const outcome = await committed;
      t.strictSame([...new Set(outcome.values())], ['database']);
      await rivalry;
    }
    t.equal(metrics.get('journal_spilled_total'), 0);
  });
});
