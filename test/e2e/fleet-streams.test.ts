/**
 * Two engines have a bus. If a key has a stream on each engine, the newer stream stays, even if the older one is
 * silent.
 */
import { performance } from 'node:perf_hooks';
import { connect } from '@nats-io/transport-node';
import t from 'tap';
import { connectDatabase } from '../../src/store/client/database.js';
import { testDatabaseUrl } from '../support/database/database.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { startNats } from '../support/servers/nats.js';
import { metric, startService } from '../support/service.js';
import { openPair } from '../support/two-devices.js';
import { until } from '../support/until.js';

t.test('two engines and one key, with a bus', { skip: withoutNats, timeout: 600_000 }, async (t) => {
  const nats = await startNats(t);
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { max: 1, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  const env = { COCHLEA_STT: 'discard', DATABASE_URL: url, NATS_URL: nats.url };
  // Starts the services one after the other, because each start migrates the database.
  const services = [
    await startService(t, env, async () => undefined),
    await startService(t, env, async () => undefined),
  ] as const;
  const see = async (engines: number): Promise<void> => {
    for (const service of services)
      await until(async () => (await metric(service, 'bus_engines')) === engines, `${engines} engines`);
  };
  await see(2);
  const spy = await connect({ port: nats.port });
  t.teardown(() => spy.close());
  const bus: string[] = [];
  spy.subscribe('cochlea.>', {
    callback: (_error, { subject, data }) => void bus.push(`${subject} ${Buffer.from(data).toString()}`),
  });
  await spy.flush();
  const pair = (uid: string) => openPair(services, sql, uid);

  await t.test('the silent older stream closes, and no word is lost', async (t) => {
    const { older, newer, epochs, words, said, allStored } = await pair('ann');
    const began = performance.now();
    const before = await epochs();
    await until(() => older.closes.length > 0, 'the older stream closes without a word');
    t.comment(`one owner ${(performance.now() - began).toFixed(0)} ms after the newer stream was ready`);
    t.match(older.closes, [{ code: 1012, reason: 'stream_replaced' }]);
    newer.say();
    await allStored();
    t.same((await words()).sort(), said());
    t.ok(newer.isOpen);
    t.equal(await epochs(), before);
    await newer.close();
    t.ok(bus.some((message) => / newer:/.test(message)) || bus.some((message) => / opened:/.test(message)));
    t.notOk(
      bus.some((message) => /older0|newer0|ann/.test(message)),
      'neither words nor users are on the bus',
    );
  });

  await t.test('two devices that reconnect at once do not take turns faster than allowed', async (t) => {
    const { older, newer, epochs, words } = await pair('bob');
    const seen = new Set([await epochs()]);
    const began = performance.now();
    for (let round = 0; round < 50; round++) {
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
    const stored = await words();
    t.equal(new Set(stored).size, stored.length, 'no word twice');
    await Promise.all([older.close(), newer.close()]);
  });

  await t.test('without the bus the database decides, and the bus is found again', async (t) => {
    await nats.kill();
    await see(0);
    const { older, newer, words, said, allStored } = await pair('cam');
    older.say();
    await until(() => older.closes.length > 0);
    t.match(older.closes, [{ code: 1012, reason: 'stream_replaced' }]);
    await allStored();
    t.same((await words()).sort(), said());
    t.ok(newer.isOpen);
    await nats.start();
    await see(2);
    t.ok(newer.isOpen);
    await newer.close();
    const next = await pair('dan');
    await until(() => next.older.closes.length > 0);
    t.match(next.older.closes, [{ code: 1012, reason: 'stream_replaced' }]);
    await next.newer.close();
  });

  await t.test(
    'streams that were opened while the bus was away are registered when it is back',
    async (t) => {
      await nats.kill();
      await see(0);
      const { older, newer } = await pair('eve');
      t.ok(older.isOpen && newer.isOpen);
      await nats.start();
      await until(() => older.closes.length > 0);
      t.match(older.closes, [{ code: 1012, reason: 'stream_replaced' }]);
      t.ok(newer.isOpen);
      await newer.close();
    },
  );
});
