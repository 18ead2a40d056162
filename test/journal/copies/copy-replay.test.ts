/**
 * Tests the copies that a journal makes of its spill on the bus. After the journal has ended, each copy is written to
 * the database once, and removed from the stream.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { createSealer } from '../../../src/journal/copies/seal.js';
import { createLogger } from '../../../src/log/logger.js';
import { removeAccounts } from '../../../src/pipeline/words/removal.js';
import { beginDeletion } from '../../../src/store/accounts/account-deletions.js';
import { encodeSpillEntry } from '../../../src/wire/spill/spill.js';
import { keepingLogger } from '../../stt/service/line.js';
import { withoutNats } from '../../support/servers/find-nats.js';
import { until } from '../../support/until.js';
import { change, opening, startOfTime, stored, storedTexts, testJournal } from '../support.js';
import {
  copyingEngine,
  expireLeases,
  openReplay,
  spilledConversation,
  spillKey,
  startCopiedFleet,
} from './support.js';

const log = createLogger('test', 'silent');

/** Reads all files of a folder. */
const contentOf = (folder: string): Buffer =>
  Buffer.concat(
    (readdirSync(folder, { recursive: true }) as string[])
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path)),
  );

t.test('copies of spilled entries', { skip: withoutNats, timeout: 300_000 }, async (t) => {
  const { url, sql, server, source, replay, waiting, copied, lose } = await startCopiedFleet(t);

  await t.test('words of a lost machine are stored once', async (t) => {
    const lost = await copied(t);
    const { lease } = await lost.journal.open(opening({ uid: 'lost' }));
    await lost.say(lease, 'a', 'one');
    lost.proxy.mode = 'refused';
    await lost.say(lease, 'b', 'xylophone two', 1);
    const begun = await lost.journal.open(opening({ uid: 'begun' }));
    await lost.say(begun.lease, 'c', 'three');
    await lost.journal.finish(begun.lease, startOfTime);
    t.same(lost.acknowledged(), { database: 1, stream: 2, disk: 0 });
    await until(async () => (await waiting()) === 1);
    t.notOk(contentOf(server.folder).includes('xylophone'), 'the files of the stream contain no words');
    t.ok(contentOf(lost.spillDir).includes('xylophone'), 'the disk of the engine does');

    await replay.look();
    t.same(await storedTexts(sql, lease.conversationId), ['one'], 'a living journal replays its own spill');
    await lose(lost);
    await replay.look();
    t.same(await storedTexts(sql, lease.conversationId), ['one', 'xylophone two']);
    t.same(await storedTexts(sql, begun.lease.conversationId), ['three']);
    const [row] = await sql`select status from conversations where id = ${begun.lease.conversationId}`;
    t.equal(row?.status, 'processing');
    t.equal(await waiting(), 0, 'the copies are removed');
    await replay.look();
    t.same(await storedTexts(sql, lease.conversationId), ['one', 'xylophone two']);
  });

  await t.test('a living journal replays its spill, and its copies are removed', async (t) => {
    const alive = await copied(t);
    const { lease } = await alive.journal.open(opening({ uid: 'alive' }));
    alive.proxy.mode = 'refused';
    await alive.say(lease, 'a', 'one');
    await until(async () => (await waiting()) === 1);
    alive.proxy.mode = 'open';
    await alive.level();
    const { replayed } = replay.counts;
    await until(async () => {
      await replay.look();
      return (await waiting()) === 0;
    });
    t.equal(replay.counts.replayed, replayed, 'without writing them again');
    t.same(await storedTexts(sql, lease.conversationId), ['one']);
    t.equal((await alive.say(lease, 'b', 'two', 1)).get(lease.conversationId), 'database');
  });

  await t.test('a marker that arrives late removes no later copy', async (t) => {
    const late = await copied(t);
    const { lease } = await late.journal.open(opening({ uid: 'late' }));
    late.proxy.mode = 'refused';
    await late.say(lease, 'a', 'one');
    const { journal, subject } = (await source.look())!.journals[0]!;
    const covered = (await source.last(subject))!.sequence;
    late.proxy.mode = 'open';
    await late.level();
    await until(async () => {
      await replay.look();
      return (await waiting()) === 0;
    });
    late.proxy.mode = 'refused';
    await late.say(lease, 'b', 'two', 1);
    await late.say(lease, 'c', 'three', 2);
    t.ok(await late.engine.bus.copies!.store(journal, createSealer(spillKey, journal).marker(covered)));
    await replay.look();
    t.equal(await waiting(), 1, 'the copies stay while the journal lives');
    await lose(late);
    await replay.look();
    t.same(await storedTexts(sql, lease.conversationId), ['one', 'two', 'three']);
    await replay.look();
    t.equal(await waiting(), 0, 'the marker is removed, too');
  });

  await t.test('a journal that comes back during the replay keeps its conversation', async (t) => {
    const back = await copied(t);
    const { lease } = await back.journal.open(opening({ uid: 'back' }));
    back.proxy.mode = 'refused';
    await back.say(lease, 'a', 'one');
    await until(async () => (await waiting()) === 1);
    await expireLeases(sql);
    await replay.look();
    t.same(await storedTexts(sql, lease.conversationId), ['one'], 'its lease had expired');
    await back.say(lease, 'b', 'two', 1);
    back.proxy.mode = 'open';
    await back.level();
    t.same(await storedTexts(sql, lease.conversationId), ['one', 'two']);
    t.equal((await back.say(lease, 'c', 'three', 2)).get(lease.conversationId), 'database');
    const [row] = await sql`
      select l.expires_at >= now() as alive from conversations c join engine_leases l on l.engine = c.engine
      where c.id = ${lease.conversationId}`;
    t.equal(row?.alive, true);
    await until(async () => {
      await replay.look();
      return (await waiting()) === 0;
    });
    t.same(await storedTexts(sql, lease.conversationId), ['one', 'two', 'three']);
  });

  await t.test('another engine continued the conversation before its copies come', async (t) => {
    const older = await copied(t);
    const { lease } = await older.journal.open(opening({ uid: 'taken' }));
    older.proxy.mode = 'refused';
    await older.say(lease, 'a', 'one');
    await lose(older);
    const { journal: newer } = await testJournal(url, t.testdir(), { databaseTimeout: 10_000 });
    t.teardown(() => newer.close(0));
    const taken = await newer.open(opening({ uid: 'taken' }));
    t.equal(taken.lease.conversationId, lease.conversationId);
    await newer.commit([change(taken.lease, [stored('b', 'two', 1)])]);
    for (const round of [1, 2]) {
      await replay.look();
      t.same(await storedTexts(sql, lease.conversationId), ['one', 'two'], `round ${round}`);
    }
    const outcome = await newer.commit([change(taken.lease, [stored('c', 'three', 2)])]);
    t.equal(outcome.get(lease.conversationId), 'database');
  });

  await t.test('without the bus, words are on the disk, and come to the stream later', async (t) => {
    const cut = await copied(t);
    const { lease } = await cut.journal.open(opening({ uid: 'cut' }));
    cut.proxy.mode = 'refused';
    await server.kill();
    await until(() => !cut.engine.bus.copies!.ready);
    await cut.say(lease, 'a', 'one');
    t.same(cut.acknowledged(), { database: 0, stream: 0, disk: 1 });
    await server.start();
    await cut.engine.ready();
    await cut.say(lease, 'b', 'two', 1);
    t.same(cut.acknowledged(), { database: 0, stream: 1, disk: 1 });
    await lose(cut);
    await until(async () => {
      await waiting();
      await replay.look();
      return (await storedTexts(sql, lease.conversationId)).join() === 'one,two';
    });
    t.equal(await waiting(), 0);
  });

  await t.test('with MIN_DURABILITY=stream, words on the disk alone are refused', async (t) => {
    const strict = await copied(t, { required: true });
    const { lease } = await strict.journal.open(opening({ uid: 'strict' }));
    strict.proxy.mode = 'refused';
    await strict.say(lease, 'a', 'one');
    await server.kill();
    await until(() => !strict.engine.bus.copies!.ready);
    t.equal(strict.engine.feed.refuses, false);
    await t.rejects(strict.say(lease, 'b', 'two', 1), { code: 'durability_unmet' });
    await until(() => strict.engine.feed.refuses, 'the engine is not ready');
    await t.rejects(strict.say(lease, 'b', 'two', 1), { code: 'durability_unmet' });
    await server.start();
    await until(() => !strict.engine.feed.refuses, 'it is ready again');
    t.equal((await strict.say(lease, 'b', 'two', 1)).get(lease.conversationId), 'spill');
    t.same(strict.acknowledged(), { database: 0, stream: 2, disk: 0 });
    strict.proxy.mode = 'open';
    await strict.level();
    t.same(await storedTexts(sql, lease.conversationId), ['one', 'two']);
    await until(async () => {
      await waiting();
      await replay.look();
      return (await waiting()) === 0;
    });
  });

  await t.test('refused words that a device sends again are not stored later', async (t) => {
    const strict = await copied(t, { required: true });
    const { lease: sentAgain } = await strict.journal.open(opening({ uid: 'again' }));
    const { lease: once } = await strict.journal.open(opening({ uid: 'once' }));
    const audio = (position: number) => ({ audio: { clock: 'clock', confirmed: [position] }, resends: true });
    await strict.journal.commit([change(sentAgain, [stored('a', 'one')], audio(1000))]);
    strict.proxy.mode = 'refused';
    await strict.journal.commit([change(sentAgain, [stored('b', 'two', 1)], audio(2000))]);
    await server.kill();
    await until(() => !strict.engine.bus.copies!.ready);
    await t.rejects(
      strict.journal.commit([
        change(sentAgain, [stored('c', 'three', 2)], audio(3000)),
        change(once, [stored('d', 'four')]),
      ]),
      { code: 'durability_unmet' },
    );
    strict.proxy.mode = 'open';
    await strict.level();
    await until(async () => (await storedTexts(sql, once.conversationId)).length === 1);
    t.same(await storedTexts(sql, sentAgain.conversationId), ['one', 'two'], 'only what was acknowledged');
    const key = { uid: 'again', source: 'omi', deviceId: null };
    await until(async () => (await strict.journal.audioConfirmed(key, 'clock')) !== null);
    t.same(
      (await strict.journal.audioConfirmed(key, 'clock'))?.confirmed,
      [2000],
      'the device sends it again from here',
    );
    await strict.journal.commit([change(sentAgain, [stored('e', 'three', 2)], audio(3000))]);
    t.same(await storedTexts(sql, sentAgain.conversationId), ['one', 'two', 'three']);
    t.same(
      await storedTexts(sql, once.conversationId),
      ['four'],
      'a device without positions may not send again',
    );
    await server.start();
    await until(async () => {
      await waiting();
      await replay.look();
      return (await waiting()) === 0;
    });
    t.same(await storedTexts(sql, sentAgain.conversationId), ['one', 'two', 'three']);
  });

  await t.test('two sidecars replay the same copies at once', async (t) => {
    const logged: unknown[] = [];
    const others = [1, 2].map((number) =>
      openReplay(sql, source, t.testdir({ [`${number}`]: {} }), { log: keepingLogger(logged) }),
    );
    const lost = await copied(t);
    const { lease } = await lost.journal.open(opening({ uid: 'both' }));
    lost.proxy.mode = 'refused';
    const words = Array.from({ length: 70 }, (_, word) => `word-${word}`);
    for (const [position, word] of words.entries()) await lost.say(lease, word, word, position);
    await lose(lost);
    await until(async () => {
      await Promise.all(others.map((other) => other.look()));
      return (await waiting()) === 0;
    });
    t.same(await storedTexts(sql, lease.conversationId), words);
    t.same(logged, []);
  });

  await t.test('copies for a newer program and of another key stay, and are counted', async (t) => {
    const { bus, options } = await copyingEngine(t, server.url);
    await until(() => bus.copies!.ready);
    await waiting();
    const journal = (shard: number) => `${options.engineId}.${shard}.00000000-0000-4000-8000-000000000000`;
    const release = (epoch: number) => encodeSpillEntry({ kind: 'release', id: lease.conversationId, epoch });
    const writer = await copied(t);
    const { lease } = await writer.journal.open(opening({ uid: 'left' }));
    const words = (text: string, position: number) =>
      encodeSpillEntry({
        kind: 'commit',
        changes: [
          {
            conversation: spilledConversation({ id: lease.conversationId, uid: 'left' }),
            epoch: lease.epoch,
            startedAt: startOfTime,
            lastSpeechAt: startOfTime,
            speechProbability: null,
            spoken: null,
            rows: [{ id: text, ...stored(text, text, position) }],
          },
        ],
      });
    const [first, second] = [createSealer(spillKey, journal(0)), createSealer(spillKey, journal(1))];
    const foreign = createSealer('z'.repeat(32), journal(1));
    const newer = Buffer.concat([release(1), Buffer.of(15 << 3, 2)]);
    for (const copy of [first.entry(words('before', 0)), first.entry(newer), first.entry(words('behind', 1))])
      t.ok(await bus.copies!.store(journal(0), copy));
    for (const copy of [foreign.entry(words('foreign', 2)), second.entry(words('other', 3))])
      t.ok(await bus.copies!.store(journal(1), copy));

    const logged: unknown[] = [];
    const own = openReplay(sql, source, t.testdir({}), { log: keepingLogger(logged) });
    for (const round of [1, 2]) {
      await own.look();
      t.same(await storedTexts(sql, lease.conversationId), ['before', 'other'], `round ${round}`);
      t.match(own.counts, { waiting: 2, newer: 1, unopened: 1 });
    }
    t.equal(logged.length, 2, 'each is logged once');
    const subjects = (await source.look())!.journals.map(({ subject }) => subject).sort();
    const left = [];
    for (const subject of subjects)
      for (
        let copy = await source.next(subject, 0);
        copy;
        copy = await source.next(subject, copy.sequence + 1)
      )
        left.push(copy.sequence);
    t.equal(left.length, 3, 'the newer copy, the one behind it, and the foreign one');
    for (const subject of subjects) await source.removeBefore(subject, left.at(-1)! + 1);
  });

  await t.test('deleted conversations and accounts do not come back', async (t) => {
    const lost = await copied(t);
    for (const uid of ['leaving', 'staying']) await createUser(sql, { uid });
    const [leaving, staying] = [
      await lost.journal.open(opening({ uid: 'leaving' })),
      await lost.journal.open(opening({ uid: 'staying' })),
    ];
    const other = await lost.journal.open(opening({ uid: 'staying', deviceId: 'ios_2' }));
    lost.proxy.mode = 'refused';
    for (const { lease } of [leaving, staying, other]) await lost.say(lease, lease.uid, 'said');
    await beginDeletion(sql, 'leaving');
    await removeAccounts(sql, log);
    await sql`
      update conversations set deleted_at = now(), status = 'completed' where id = ${other.lease.conversationId}`;
    const confirmed = async () =>
      (await sql`select confirmed from account_deletion_places where place = 'stream cochlea_spill'`).length;
    await replay.look();
    t.equal(await confirmed(), 0, 'the stream still has words of the account');
    await lose(lost);
    await until(async () => {
      await replay.look();
      return (await confirmed()) === 1;
    });
    t.equal(await waiting(), 0);
    t.same(await storedTexts(sql, leaving.lease.conversationId), []);
    t.same(await storedTexts(sql, other.lease.conversationId), []);
    t.same(await storedTexts(sql, staying.lease.conversationId), ['said']);
    t.same([...(await sql`select 1 from conversations where uid = 'leaving'`)], []);
  });

  await t.test(
    'a deletion waits for older copies that cannot be opened, and for no newer ones',
    async (t) => {
      await createUser(sql, { uid: 'waited' });
      await beginDeletion(sql, 'waited');
      const subject = 'cochlea.engine.e.spill.e.0.00000000-0000-4000-8000-000000000000';
      const copy = (sequence: number) => ({ sequence, bytes: new Uint8Array(64) });
      let stored = [copy(7)];
      const logged: unknown[] = [];
      const waited = openReplay(
        sql,
        {
          look: async () => ({
            journals: stored.map(() => ({
              journal: subject.slice('cochlea.engine.e.spill.'.length),
              subject,
            })),
            waiting: stored.length,
            isComplete: true,
            last: stored.at(-1)?.sequence ?? 0,
          }),
          oldest: async () => stored[0] ?? null,
          next: async (_, from) => stored.find(({ sequence }) => sequence >= from) ?? null,
          last: async () => stored.at(-1) ?? null,
          removeBefore: () => Promise.reject(new Error('nothing is removed')),
          remove: () => Promise.reject(new Error('nothing is removed')),
        },
        t.testdir({}),
        { log: keepingLogger(logged) },
      );
      const confirmed = async () =>
        (
          await sql`select 1 from account_deletion_places p where place = 'stream cochlea_spill'
          and confirmed >= (select max(number) from account_deletions)`
        ).length === 1;
      for (let look = 0; look < 2; look++) {
        await waited.look();
        t.equal(await confirmed(), false);
        t.equal(waited.counts.deletions, 1);
      }
      t.equal(logged.filter((line) => String(line).includes('deletion of an account waits')).length, 1);
      // Simulates that the stream has removed the old copies. Later copies contain no words from before the deletion.
      stored = [copy(8)];
      await waited.look();
      t.equal(await confirmed(), true);
      t.equal(waited.counts.deletions, 0);
    },
  );

  await t.test('copies that the database refuses are kept with the rejected entries', async (t) => {
    const spillDir = t.testdir({});
    const lost = await copied(t);
    const { lease } = await lost.journal.open(opening({ uid: 'refused' }));
    lost.proxy.mode = 'refused';
    const bad = { ...stored('bad', 'never'), revision: Number.MAX_VALUE };
    await lost.journal.commit([change(lease, [bad])]);
    await lost.say(lease, 'good', 'fine', 1);
    await lose(lost);
    await openReplay(sql, source, spillDir).look();
    t.same(await storedTexts(sql, lease.conversationId), ['fine']);
    t.equal(readdirSync(join(spillDir, 'rejected')).length, 1);
    t.equal(await waiting(), 0);
  });

  await t.test('an engine with very many copies does not delay those of others', async (t) => {
    const journalOf = (engine: string, shard: number) => {
      const journal = `${engine}.${shard}.00000000-0000-4000-8000-000000000000`;
      return { journal, subject: `cochlea.engine.${engine}.spill.${journal}` };
    };
    const flood = Array.from({ length: 8 }, (_, shard) => journalOf('flood', shard));
    const other = journalOf('other', 0);
    const read = new Map<string, number>();
    const garbage = new Uint8Array(64);
    const begun: string[] = [];
    const closing = new AbortController();
    let reads = 0;
    const flooded = openReplay(
      sql,
      {
        look: async () => ({ journals: [...flood, other], waiting: 9, isComplete: true, last: 0 }),
        oldest: async () => null,
        next: async (subject, from) => {
          if (from === 0) begun.push(subject);
          if (++reads === 3000) closing.abort();
          read.set(subject, (read.get(subject) ?? 0) + 1);
          return subject === other.subject ? null : { sequence: from, bytes: garbage };
        },
        last: async () => ({ sequence: 1, bytes: garbage }),
        removeBefore: async () => {},
        remove: async () => {},
      },
      t.testdir({}),
    );
    for (let look = 1; look <= 4; look++) {
      t.equal(await flooded.look(), false, 'what cannot be opened is not urgent');
      t.equal(read.get(other.subject), look, 'the other engine has its turn in each look');
      t.ok([...read.values()].every((count) => count <= look * 1024));
    }
    t.same(begun.length, 8 + 4, 'a later look continues where the earlier one ended');
    reads = 0;
    await flooded.look(closing.signal);
    t.ok(reads < 3000 + 32, 'a look ends when the process closes');
  });
});
