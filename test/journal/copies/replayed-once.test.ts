/**
 * Tests that an entry of a spill takes effect once, even if several processes store it, or one does so days later. The
 * database records which entries it has.
 */
import { readdirSync } from 'node:fs';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { createSealer } from '../../../src/journal/copies/seal.js';
import { removeOldReplayed } from '../../../src/store/live/replayed-spills.js';
import { withEntryNumber } from '../../../src/wire/spill/entry-number.js';
import { encodeSpillEntry } from '../../../src/wire/spill/spill.js';
import { withoutNats } from '../../support/servers/find-nats.js';
import { until } from '../../support/until.js';
import { change, opening, stored, storedTexts, testJournal } from '../support.js';
import {
  copyingEngine,
  expireLeases,
  spilledChange,
  spilledConversation,
  spillKey,
  startCopiedFleet,
} from './support.js';

t.test('entries of a spill take effect once', { skip: withoutNats, timeout: 300_000 }, async (t) => {
  const { url, sql, source, replay, waiting, copied, lose } = await startCopiedFleet(t);
  const removeSegment = (id: string) => sql`delete from segments where id = ${id}`;
  const conversationOf = async (id: string) =>
    (await sql`select language, spoken_ms, engine from conversations where id = ${id}`)[0];

  await t.test('a lost marker does not bring back what changed since', async (t) => {
    const lost = await copied(t);
    const { lease } = await lost.journal.open(opening({ uid: 'marker', language: 'multi' }));
    lost.proxy.mode = 'refused';
    const spoken = { language: 'en', times: { en: 1000, de: 400 } };
    await lost.journal.commit([change(lease, [stored('m-a', 'one'), stored('m-b', 'two', 1)], { spoken })]);
    await until(async () => (await waiting()) === 1);
    // Closes the feed, so the marker that the entries are stored never reaches the stream.
    lost.engine.feed.close();
    lost.proxy.mode = 'open';
    await lost.level();
    const newer = { language: 'de', times: { en: 1000, de: 9000 } };
    await until(
      async () =>
        (await lost.journal.commit([change(lease, [], { spoken: newer })])).get(lease.conversationId) ===
        'database',
    );
    await removeSegment('m-b');
    await lose(lost);
    await until(async () => {
      await replay.look();
      return (await waiting()) === 0;
    });
    t.same(await storedTexts(sql, lease.conversationId), ['one']);
    t.match(await conversationOf(lease.conversationId), { language: 'de', spoken_ms: newer.times });
  });

  await t.test('an engine continues after a sidecar has replayed its copies', async (t) => {
    const back = await copied(t);
    const { lease } = await back.journal.open(opening({ uid: 'paused' }));
    back.proxy.mode = 'refused';
    await back.journal.commit([change(lease, [stored('p-a', 'one'), stored('p-b', 'two', 1)])]);
    await until(async () => (await waiting()) === 1);
    await expireLeases(sql);
    await replay.look();
    t.same(await storedTexts(sql, lease.conversationId), ['one', 'two']);
    t.match(await conversationOf(lease.conversationId), { engine: 'ended' });
    await removeSegment('p-b');
    back.proxy.mode = 'open';
    await back.level();
    await until(async () => (await conversationOf(lease.conversationId))!.engine !== 'ended');
    t.same(await storedTexts(sql, lease.conversationId), ['one'], 'it does not store them again');
    const [held] = await sql`
      select 1 as held from conversations c join engine_leases l on l.engine = c.engine
      where c.id = ${lease.conversationId} and l.expires_at >= now()`;
    t.ok(held, 'it has its conversation back');
  });

  await t.test('the next run of an engine does not store again what a sidecar stored', async (t) => {
    const ended = await copied(t);
    const { lease } = await ended.journal.open(opening({ uid: 'next' }));
    ended.proxy.mode = 'refused';
    await ended.journal.commit([change(lease, [stored('n-a', 'one'), stored('n-b', 'two', 1)])]);
    await lose(ended);
    await replay.look();
    await removeSegment('n-b');
    // The journal has ended, but the folder of its spill still exists.
    const folders = () => readdirSync(ended.spillDir).filter((name) => name.includes('~'));
    t.equal(folders().length, 1);
    const { journal } = await testJournal(url, ended.spillDir, {
      engineId: ended.engine.options.engineId!,
      databaseTimeout: 10_000,
    });
    t.teardown(() => journal.close(0));
    await until(() => folders().length === 0);
    t.same(await storedTexts(sql, lease.conversationId), ['one']);
  });

  await t.test('several outages of a journal have different numbers', async (t) => {
    const twice = await copied(t);
    const { lease } = await twice.journal.open(opening({ uid: 'twice' }));
    for (const [position, word] of ['one', 'two'].entries()) {
      twice.proxy.mode = 'refused';
      await twice.say(lease, `t-${word}`, word, position);
      if (word === 'two') break;
      twice.proxy.mode = 'open';
      await twice.level();
      await until(
        async () =>
          (await twice.journal.commit([change(lease, [])])).get(lease.conversationId) === 'database',
      );
    }
    await lose(twice);
    await until(async () => {
      await replay.look();
      return (await waiting()) === 0;
    });
    t.same(await storedTexts(sql, lease.conversationId), ['one', 'two']);
  });

  await t.test('copies in any order, and pieces of large entries, are all stored', async (t) => {
    const { bus, options } = await copyingEngine(t, (await copied(t)).engine.url);
    await until(() => bus.copies!.ready);
    const journal = `${options.engineId}.0.00000000-0000-4000-8000-00000000000a`;
    const sealer = createSealer(spillKey, journal);
    const conversation = spilledConversation({ id: '00000000-0000-4000-8000-00000000000b', uid: 'order' });
    const copy = (text: string, number: number, part?: number) => {
      const position = number + (part ?? 0) / 10;
      const made = spilledChange(conversation, { id: text, position });
      const entry = encodeSpillEntry({ kind: 'commit', changes: [made] });
      const named = { journal: 'a name that no one authenticated', number, part };
      return bus.copies!.store(journal, sealer.entry(withEntryNumber(entry, named)));
    };
    for (const [text, number, part] of [
      ['three', 3],
      ['one', 1],
      ['three', 3],
      ['two-b', 2, 1],
      ['two-a', 2, 0],
    ] as const)
      t.ok(await copy(text, number, part));
    await replay.look();
    t.same(await storedTexts(sql, conversation.id), ['one', 'two-a', 'two-b', 'three']);
    const holder = journal.replaceAll('.', '/');
    const [row] = await sql`select entries::text as entries from replayed_spills where journal = ${holder}`;
    const parts = 65_536;
    t.equal(row?.entries, `{[${parts},${2 * parts + 2}),[${3 * parts},${4 * parts})}`);

    await removeSegment('two-b');
    await copy('two-b', 2, 1);
    await copy('one', 1, 7);
    await copy('four', 4);
    await replay.look();
    t.same(await storedTexts(sql, conversation.id), ['one', 'two-a', 'three', 'four']);
    t.equal(await waiting(), 0);
    t.equal((await source.look())!.journals.length, 0);
  });

  await t.test('numbers are kept for longer than copies', async (t) => {
    const age = `${(2 * fixedLimits.spillCopiesAge.value) / 1000} seconds`;
    await sql`insert into replayed_spills (journal, replayed_at) values
      ('old', now() - ${age}::interval - interval '1 minute'), ('new', now() - ${age}::interval + interval '1 minute')`;
    await removeOldReplayed(sql);
    t.same(
      (await sql`select journal from replayed_spills where journal in ('old', 'new')`).map(
        (row) => row.journal,
      ),
      ['new'],
    );
  });
});
