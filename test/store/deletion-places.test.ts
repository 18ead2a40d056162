/**
 * Tests that every place with data of users carries out every deletion of an account. A place is the data folder of an
 * engine, or the stream with copies of spills. The database has one row for each place.
 */
import t from 'tap';
import { startErasure } from '../../src/app/services/erase-deleted.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { beginDeletion, uidHash } from '../../src/store/accounts/account-deletions.js';
import {
  confirmDeletions,
  seePlace,
  unconfirmedDeletions,
} from '../../src/store/accounts/deletion-places.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { testDatabase, untilBlocked } from '../support/database/database.js';

t.test('places of deleted accounts', async (t) => {
  const { url, sql } = await testDatabase(t);
  const remove = async (...uids: string[]) => {
    for (const uid of uids) {
      await createUser(sql, { uid });
      await beginDeletion(sql, uid);
    }
  };
  const hashesOf = (...uids: string[]) => uids.map(uidHash);
  const places = async () =>
    (await sql<{ place: string }[]>`select place from account_deletion_places order by place`).map(
      ({ place }) => place,
    );
  /**
   * Starts the part of an engine that removes audio, with its own data folder. `erased` has one list of users for each
   * removal.
   */
  const engine = (engineId: string) => {
    const erased: (readonly string[])[] = [];
    const state = { fails: false };
    const erasure = startErasure({
      sql,
      engineId,
      dataDir: t.testdir({}),
      eraseAudio: async (hashes) => {
        if (state.fails) throw new Error('the disk fails');
        erased.push(hashes);
      },
      interval: 600_000,
      log: createLogger('test', 'silent'),
    });
    t.teardown(() => erasure.stop());
    return { erased, state, look: () => erasure.look() };
  };

  await t.test('carry out each deletion once, and keep one row', async (t) => {
    const [one, two] = [engine('one'), engine('two')];
    await one.look();
    t.same(await places(), [], 'nothing to confirm');
    await remove('ann', 'bob');
    await one.look();
    await one.look();
    await remove('eve');
    await one.look();
    await two.look();
    t.same(one.erased, [hashesOf('ann', 'bob'), hashesOf('eve')]);
    t.same(two.erased, [hashesOf('ann', 'bob', 'eve')], 'a later place carries out all of them');
    await remove(...Array.from({ length: 20 }, (_, number) => `user-${number}`));
    for (const { look } of [one, two]) await look();
    t.same(await places(), ['one', 'two'], 'the rows do not grow with the deletions');
    const again = engine('one');
    await again.look();
    t.same(again.erased, [], 'nor are they repeated after a restart');
  });

  await t.test('repeat what failed', async (t) => {
    const failing = engine('failing');
    await failing.look();
    await remove('zoe');
    failing.state.fails = true;
    await failing.look();
    failing.state.fails = false;
    await failing.look();
    t.same(failing.erased.at(-1), hashesOf('zoe'));
    const before = failing.erased.length;
    await failing.look();
    t.equal(failing.erased.length, before);
  });

  await t.test('miss no deletion that commits after a later one', async (t) => {
    for (const uid of ['slow', 'quick']) await createUser(sql, { uid });
    const other = connectDatabase(url, { max: 1, name: 'other' });
    t.teardown(() => other.end({ timeout: 1 }));
    // The first deletion has got its number, but its transaction does not commit yet.
    const slow = await sql.reserve();
    await slow`begin`;
    await slow`select pg_advisory_xact_lock(hashtextextended('account_deletions', 0))`;
    await slow`insert into account_deletions (uid_hash, uid) values (${uidHash('slow')}, 'slow')`;
    const quick = beginDeletion(other, 'quick');
    await untilBlocked(sql);
    const { newest } = await unconfirmedDeletions(sql, 'watching');
    await confirmDeletions(sql, 'watching', newest);
    await slow`commit`;
    slow.release();
    await quick;
    t.same((await unconfirmedDeletions(sql, 'watching')).hashes, hashesOf('slow', 'quick'));
    await confirmDeletions(sql, 'watching', 1);
    t.same(
      (await unconfirmedDeletions(sql, 'watching')).hashes,
      hashesOf('slow', 'quick'),
      'never goes back',
    );
  });

  await t.test('are forgotten after 30 days without use, and then begin anew', async (t) => {
    await sql`update account_deletion_places set seen_at = now() - interval '31 days' where place in ('one', 'two')`;
    await seePlace(sql, 'one');
    t.same(
      (await places()).filter((place) => place === 'one' || place === 'two'),
      ['one'],
    );
    const returned = engine('two');
    await returned.look();
    t.ok(returned.erased[0]!.length >= 23, 'it carries out all deletions again');
  });
});
