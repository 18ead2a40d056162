/** Tests two sockets of one user, source and device on two engines with one database, without a bus. */
import { performance } from 'node:perf_hooks';
import t from 'tap';
import { connectDatabase } from '../../src/store/client/database.js';
import { testDatabaseUrl } from '../support/database/database.js';
import { startService } from '../support/service.js';
import { openPair } from '../support/two-devices.js';
import { until } from '../support/until.js';

t.test('two engines and one key', { timeout: 400_000 }, async (t) => {
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const env = { COCHLEA_STT: 'discard', DATABASE_URL: url };
  // Starts the services one after the other, because each start migrates the database.
  const services = [
    await startService(t, env, async () => undefined),
    await startService(t, env, async () => undefined),
  ] as const;
  const pair = (uid: string) => openPair(services, sql, uid);
  await t.test('the older stream stores its words and closes, and the newer one goes on', async (t) => {
    const { older, newer, epochs, words, said, allStored } = await pair('ann');
    const before = await epochs();
    const began = performance.now();
    older.say();
    await until(() => older.closes.length > 0);
    t.comment(`one owner after ${(performance.now() - began).toFixed(0)} ms`);
    t.match(older.closes, [{ code: 1012, reason: 'stream_replaced' }]);
    newer.say();
    await allStored();
    t.same((await words()).sort(), said(), 'each word once');
    t.ok(newer.isOpen);
    t.equal(await epochs(), before, 'no epoch was raised, and no conversation added');
    await newer.close();
  });

  await t.test('two devices that reconnect at once do not take turns faster than allowed', async (t) => {
    const { older, newer, epochs, words } = await pair('bob');
    const seen = new Set([await epochs()]);
    const rounds = 50;
    const began = performance.now();
    for (let round = 0; round < rounds; round++) {
      for (const device of [older, newer]) {
        if (!device.isOpen) await device.connect();
        if (device.isOpen) device.say();
      }
      await until(async () => {
        seen.add(await epochs());
        return performance.now() - began > 1200 * (round + 1);
      });
    }
    t.comment(`epochs raised in 60 s: ${seen.size - 1}`);
    t.ok(seen.size - 1 <= 3, `${seen.size - 1}`);
    // A text that was sent while the engine closed the stream can remain unread. All other texts are stored.
    const last = newer.said.at(-1)!;
    await until(async () => (await words()).includes(last));
    const stored = await words();
    t.equal(new Set(stored).size, stored.length, 'no word twice');
    const confirmed = [...older.confirmed, ...newer.confirmed];
    t.ok(
      confirmed.length > rounds / 2,
      `${confirmed.length} of ${older.said.length + newer.said.length} words`,
    );
    t.same(
      confirmed.filter((word) => !stored.includes(word)),
      [],
      'no confirmed word is missing',
    );
    await Promise.all([older.close(), newer.close()]);
  });
});
