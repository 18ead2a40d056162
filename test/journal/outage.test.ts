import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Committer } from '../../src/engine/shared/committer.js';
import { createUser } from '../../src/identity/users.js';
import type { JournalOptions } from '../../src/journal/options.js';
import { createLogger } from '../../src/log/logger.js';
import { removeAccounts } from '../../src/pipeline/words/removal.js';
import { beginDeletion } from '../../src/store/accounts/account-deletions.js';
import { decodeSpillEntry } from '../../src/wire/spill/spill.js';
import { testDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { startProxy } from './proxy.js';
import { change, opening, proxiedJournal, startOfTime, stored, storedTexts, testJournal } from './support.js';

t.test('a journal whose database becomes unreachable', async (t) => {
  const { url, sql } = await testDatabase(t);
  const proxied = (t: Test, changes: Partial<JournalOptions> = {}) => proxiedJournal(t, url, changes);
  const rowOf = async (id: string) => (await sql`select * from conversations where id = ${id}`)[0];
  const texts = (id: string) => storedTexts(sql, id);

  for (const mode of ['silent', 'refused'] as const) {
    await t.test(`${mode}: acknowledges everything from the spill and replays it in order`, async (t) => {
      const { journal, metrics, proxy, spillDir, level } = await proxied(t, { databaseTimeout: 2000 });
      const before = await journal.open(opening({ uid: `before-${mode}` }));
      const id = before.lease.conversationId;
      await journal.commit([change(before.lease, [stored('a', 'one')])]);
      proxy.mode = mode;
      const spilled = await journal.commit([change(before.lease, [stored('a', 'one more', 0, 2)])]);
      t.equal(spilled.get(id), 'spill');
      const during = await journal.open(opening({ uid: `during-${mode}` }));
      t.match(during, { resumed: false, lease: { epoch: 1 } });
      const spoken = { language: 'fr', times: { fr: 2000, en: 1000 } };
      await journal.commit([change(during.lease, [stored('b', 'two')], { spoken })]);
      await journal.renew();
      t.equal(await journal.conversation(`before-${mode}`, id), null);
      t.equal(await journal.keywords(`before-${mode}`), null);
      t.equal(await journal.finish(during.lease, startOfTime), 'spill');
      const empty = await journal.open(opening({ uid: `empty-${mode}` }));
      t.equal(await journal.finish(empty.lease, startOfTime), 'spill');
      t.strictSame(await texts(id), ['one']);
      t.equal(metrics.get('journal_spill_depth'), 6);

      proxy.mode = 'open';
      await level();
      t.strictSame(await texts(id), ['one more']);
      t.equal((await rowOf(id))?.status, 'in_progress');
      t.strictSame(await texts(during.lease.conversationId), ['two']);
      t.match(await rowOf(during.lease.conversationId), {
        status: 'processing',
        language: 'fr',
        spoken_ms: spoken.times,
      });
      t.equal(await rowOf(empty.lease.conversationId), undefined);
      const after = await journal.commit([change(before.lease, [stored('c', 'three', 1)])]);
      t.equal(after.get(id), 'database');
      t.equal(metrics.get('journal_replayed_total'), 6);
      t.strictSame(readdirSync(spillDir), [], 'an empty spill leaves nothing on disk');
    });
  }

  await t.test('late words for another engine go to the spill, and come once', async (t) => {
    const { journal, proxy, level } = await proxied(t);
    const { journal: newer } = await testJournal(url, t.testdir(), { databaseTimeout: 10_000 });
    t.teardown(() => newer.close(0));
    const key = { uid: 'late', source: 'omi', deviceId: null };
    const { lease } = await journal.open(opening({ uid: 'late' }));
    const id = lease.conversationId;
    const { lease: taken } = await newer.open(opening({ uid: 'late' }));
    t.match(await journal.replacement(lease, key), { position: -1 });
    proxy.mode = 'refused';
    t.equal(await journal.commitLate(change(lease, [stored('a', 'late')])), 'spill');
    t.equal(await journal.replacement(lease, key), null, 'unknown while the database is away');
    proxy.mode = 'open';
    await level();
    t.strictSame(await texts(id), ['late']);
    t.equal((await rowOf(id))?.epoch, taken.epoch, 'it still belongs to the other engine');
  });

  await t.test('does not store spilled words of a deleted account, but stores those of others', async (t) => {
    const { journal, metrics, proxy, spillDir, level } = await proxied(t);
    for (const uid of ['leaving', 'staying']) await createUser(sql, { uid });
    const open = (uid: string) => journal.open(opening({ uid }));
    const [leaving, staying] = [await open('leaving'), await open('staying')];
    proxy.mode = 'refused';
    const begun = await open('leaving');
    const leases = [leaving, staying, begun].map(({ lease }) => lease);
    const said = (text: string) => leases.map((lease) => change(lease, [stored(text, text)]));
    t.same([...new Set((await journal.commit(said('one'))).values())], ['spill']);
    await journal.finish(begun.lease, startOfTime);
    await beginDeletion(sql, 'leaving');
    await removeAccounts(sql, createLogger('test', 'silent'));
    await journal.commit(said('two'));
    proxy.mode = 'open';
    await level();
    t.same([...(await sql`select id from conversations where uid = 'leaving'`)], []);
    t.strictSame(await texts(staying.lease.conversationId), ['one', 'two']);
    for (const { conversationId } of [leaving.lease, begun.lease])
      t.strictSame(await texts(conversationId), []);
    t.equal(metrics.get('journal_rejected_total'), 0);
    // The journal removes the empty spill, and then tries the database again.
    await until(() => readdirSync(spillDir).length === 0, 'nothing of it is left on the disk');
    await t.rejects(open('leaving'), { code: 'account_gone' });
  });

  await t.test('splits a replay that is too long for one transaction', async (t) => {
    const { journal, proxy, level } = await proxied(t, { databaseTimeout: 300 });
    const { lease } = await journal.open(opening({ uid: 'slow' }));
    proxy.mode = 'refused';
    const words = Array.from({ length: 24 }, (_, index) => `word ${index}`);
    for (const [index, text] of words.entries())
      await journal.commit([change(lease, [stored(`slow-${index}`, text, index)])]);
    // Each insert of a segment now takes 25 ms. So all 24 inserts together take twice the timeout of a transaction.
    await sql`create function slow_write() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.025); return null; end $$`;
    await sql`create trigger slow_write after insert on segments execute function slow_write()`;
    t.teardown(() => sql`drop function slow_write cascade`);
    proxy.mode = 'open';
    await level();
    t.strictSame(await texts(lease.conversationId), words);
  });

  await t.test('opens without a database and stores when it is reachable', async (t) => {
    const proxy = await startProxy(url);
    proxy.mode = 'refused';
    const { journal, metrics } = await testJournal(proxy.url, t.testdir(), { databaseTimeout: 300 });
    const told: string[] = [];
    journal.onCompleted((id) => told.push(id));
    const { lease } = await journal.open(opening({ uid: 'late' }));
    await journal.commit([change(lease, [stored('a', 'one')])]);
    await journal.finish(lease, startOfTime);
    proxy.mode = 'open';
    await until(() => metrics.get('journal_spill_depth') === 0);
    const id = lease.conversationId;
    t.equal((await rowOf(id))?.status, 'processing');
    await sql`update conversations set status = 'completed' where id = ${id}`;
    await until(() => told.length > 0);
    t.strictSame(told, [id]);
    await journal.close(0);
    await proxy.close();
  });

  await t.test('close replays the spill, or leaves it for the next process', async (t) => {
    const proxy = await startProxy(url);
    const spillDir = t.testdir();
    const engineId = 'closing';
    const first = await testJournal(proxy.url, spillDir, { databaseTimeout: 200, engineId });
    const { lease } = await first.journal.open(opening({ uid: 'closing' }));
    proxy.mode = 'refused';
    await first.journal.commit([change(lease, [stored('a', 'kept')])]);
    await first.journal.close(100);
    t.equal(readdirSync(spillDir).length, 1);
    proxy.mode = 'open';
    const second = await testJournal(proxy.url, spillDir, { databaseTimeout: 2000, engineId });
    t.strictSame(await texts(lease.conversationId), ['kept'], 'replayed before the journal is handed out');
    const resumed = await second.journal.open(opening({ uid: 'closing' }));
    t.match(resumed, { resumed: true, tail: { segment: { text: 'kept' } } });
    t.strictSame(readdirSync(spillDir), []);
    proxy.mode = 'refused';
    await second.journal.commit([change(resumed.lease, [stored('b', 'too', 1)])]);
    const closed = second.journal.close(5000);
    proxy.mode = 'open';
    await closed;
    t.strictSame(await texts(lease.conversationId), ['kept', 'too']);
    await proxy.close();
  });

  await t.test("refuses commits over the spill's limit and accepts them again below it", async (t) => {
    const { journal, proxy, level } = await proxied(t, { spillSize: 4096 });
    const { lease } = await journal.open(opening({ uid: 'bounded' }));
    proxy.mode = 'refused';
    await journal.commit([change(lease, [stored('a', 'x'.repeat(1500), 0)])]);
    await journal.commit([change(lease, [stored('b', 'x'.repeat(1500), 1)])]);
    await t.rejects(journal.commit([change(lease, [stored('c', 'x'.repeat(1500), 2)])]), {
      code: 'journal_spill_failed',
    });
    proxy.mode = 'open';
    await level();
    const again = await journal.commit([change(lease, [stored('c', 'after', 2)])]);
    t.equal(again.get(lease.conversationId), 'database');
    t.equal((await texts(lease.conversationId)).length, 3);
  });

  await t.test('a user at the limit is refused alone, until the database returns', async (t) => {
    const { journal, proxy, level } = await proxied(t, { spillUserSize: 65_536 });
    const committer = new Committer(journal);
    const { lease: loud } = await journal.open(opening({ uid: 'loud' }));
    const { lease: other } = await journal.open(opening({ uid: 'other' }));
    proxy.mode = 'refused';
    const text = 'x'.repeat(2000);
    const outcomes = { loud: [] as string[], other: [] as string[] };
    const codeOf = (error: { code: string }) => error.code;
    for (let index = 0; index < 40; index++) {
      const [first, second] = await Promise.all([
        committer.commit(change(loud, [stored(`loud-${index}`, text, index)])).catch(codeOf),
        committer.commit(change(other, [stored(`other-${index}`, 'few words', index)])).catch(codeOf),
      ]);
      outcomes.loud.push(first);
      outcomes.other.push(second);
    }
    t.equal(outcomes.loud[0], 'spill');
    t.equal(outcomes.loud.at(-1), 'journal_spill_failed');
    const accepted = outcomes.loud.filter((outcome) => outcome === 'spill').length;
    t.ok(accepted > 25 && accepted < 33, `${accepted} changes of 2 KB are within 64 KiB`);
    t.same(new Set(outcomes.other), new Set(['spill']), 'the other user is served in the same commits');
    await t.rejects(journal.commitLate(change(loud, [stored('late', text, 90)])), {
      code: 'journal_spill_failed',
    });
    t.equal(await journal.commitLate(change(other, [stored('late', 'few words', 90)])), 'spill');

    proxy.mode = 'open';
    await level();
    t.equal(await committer.commit(change(loud, [stored('after', text, 91)])), 'database');
    proxy.mode = 'refused';
    t.equal(await committer.commit(change(loud, [stored('again', text, 92)])), 'spill', 'a new outage');
  });

  await t.test('words that were not written do not count', async (t) => {
    const { journal, proxy } = await proxied(t, {
      spillSize: 4096,
      spillUserSize: 65_536,
    });
    const { lease } = await journal.open(opening({ uid: 'retries' }));
    proxy.mode = 'refused';
    for (let attempt = 0; attempt < 40; attempt++) {
      await t.rejects(journal.commit([change(lease, [stored('large', 'x'.repeat(5000), 0)])]), {
        code: 'journal_spill_failed',
      });
    }
    const outcomes = await journal.commit([change(lease, [stored('small', 'few words', 1)])]);
    t.equal(outcomes.get(lease.conversationId), 'spill');
  });

  await t.test('sets an entry aside that the database always refuses, and continues', async (t) => {
    const { journal, proxy, spillDir, level } = await proxied(t);
    const { lease } = await journal.open(opening({ uid: 'refused' }));
    const { lease: other } = await journal.open(opening({ uid: 'refused2' }));
    const impossible = stored('bad', 'never', 0);
    const bad = { ...impossible, segment: { ...impossible.segment, speaker_id: 2 ** 31 - 1 } };
    const worse = { ...bad, revision: Number.MAX_VALUE };
    await journal.commit([change(lease, [worse]), change(other, [stored('good', 'fine')])]);
    t.strictSame(await texts(other.conversationId), ['fine']);
    proxy.mode = 'refused';
    await journal.commit([change(lease, [worse])]);
    await journal.commit([change(other, [stored('good2', 'too', 1)])]);
    proxy.mode = 'open';
    await level();
    t.strictSame(await texts(other.conversationId), ['fine', 'too']);
    const rejected = readdirSync(join(spillDir, 'rejected'));
    t.equal(rejected.length, 2);
    const kept = decodeSpillEntry(readFileSync(join(spillDir, 'rejected', rejected[0]!)));
    t.match(kept, { kind: 'commit', changes: [{ rows: [{ id: 'bad', segment: { text: 'never' } }] }] });
  });

  await t.test('a spill that cannot be opened does not block later commits to the database', async (t) => {
    const spillDir = t.testdir({
      'broken~0~4194305.1.beef~live~000000000000001-00000000': { 'data.mdb': 'x'.repeat(9000) },
    });
    const { journal } = await testJournal(url, spillDir, { engineId: 'broken' });
    t.teardown(() => journal.close(0));
    const { lease } = await journal.open(opening({ uid: 'broken' }));
    const outcome = await journal.commit([change(lease, [stored('a', 'one')])]);
    t.equal(outcome.get(lease.conversationId), 'database');
    t.match(readdirSync(spillDir), [/^damaged-/]);
  });

  await t.test('acknowledged words survive another owner', async (t) => {
    const cut = await proxied(t, { leaseDuration: 1, databaseTimeout: 2000 });
    const { journal: other } = await testJournal(url, t.testdir({}));
    t.teardown(() => other.close(0));
    const mine = await cut.journal.open(opening({ uid: 'owners' }));
    const id = mine.lease.conversationId;
    await cut.journal.commit([change(mine.lease, [stored('a', 'shared words')])]);
    cut.proxy.mode = 'silent';
    const spill = await cut.journal.commit([
      change(mine.lease, [stored('a', 'shared words from here', 0, 2), stored('b', 'mine', 1)]),
    ]);
    t.equal(spill.get(id), 'spill');
    const theirs = await other.open(opening({ uid: 'owners' }));
    t.equal(theirs.lease.conversationId, id);
    await other.commit([
      change(theirs.lease, [stored('a', 'shared words from there', 0, 2), stored('c', 'theirs', 1)]),
    ]);
    await other.finish(theirs.lease, startOfTime);
    await sql`update conversations set status = 'completed' where id = ${id}`;
    const revision = (await rowOf(id))?.revision;
    cut.proxy.mode = 'open';
    await cut.level();
    t.strictSame([...(await texts(id))].sort(), ['here', 'mine', 'shared words from there', 'theirs']);
    const [rescued] = await sql<{ id: string }[]>`
      select id from segments where conversation_id = ${id} and text = 'here'`;
    t.match(rescued?.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a UUID like every id');
    t.match(await rowOf(id), { status: 'processing', revision: revision + 1, claimed_at: null });
    t.equal((await cut.journal.commit([change(mine.lease, [stored('d', 'late')])])).get(id), 'fenced');
  });

  await t.test('recreates a removed conversation, but not one that its user deleted', async (t) => {
    const { journal, proxy, level } = await proxied(t);
    const removed = await journal.open(opening({ uid: 'removed', deviceId: 'ios_2', language: 'fr' }));
    const deleted = await journal.open(opening({ uid: 'deleted' }));
    proxy.mode = 'refused';
    for (const { lease } of [removed, deleted]) await journal.commit([change(lease, [stored('a', 'said')])]);
    await sql`delete from conversations where id = ${removed.lease.conversationId}`;
    await sql`update conversations set deleted_at = now(), status = 'completed' where id = ${deleted.lease.conversationId}`;
    proxy.mode = 'open';
    await level();
    t.match(await rowOf(removed.lease.conversationId), {
      status: 'in_progress',
      uid: 'removed',
      client_device_id: 'ios_2',
      language: 'fr',
      started_at: new Date(startOfTime),
    });
    t.strictSame(await texts(removed.lease.conversationId), ['said']);
    t.match(await rowOf(deleted.lease.conversationId), { status: 'completed' });
  });
});
