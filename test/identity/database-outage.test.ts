/** Checks of tokens do not wait for a database that is known to be away. */
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { DatabaseOutage } from '../../src/identity/database-outage.js';
import { createTokenVerifier } from '../../src/identity/token-verifier.js';
import { createLogger } from '../../src/log/logger.js';
import { startProxy } from '../journal/proxy.js';
import { testDatabaseUrl } from '../support/database/database.js';
import { testSecret } from '../support/issuer-secret.js';
import { until } from '../support/until.js';

t.test('many streams of a user open while the database is silent', { timeout: 120_000 }, async (t) => {
  const proxy = await startProxy(await testDatabaseUrl(t));
  t.teardown(() => proxy.close());
  const { values: settings } = loadSettings({ ISSUER_SECRET: testSecret, DATABASE_TIMEOUT: '2000' });
  const log = createLogger('test', 'silent');
  const verifier = await createTokenVerifier({ settings, databaseUrl: proxy.url, log });
  t.teardown(() => verifier.close());
  const standing = (uid: string) => verifier.standing({ uid, issuedAt: Date.now() });
  t.equal(await standing('nobody'), 'unknown');

  proxy.mode = 'silent';
  const began = performance.now();
  t.equal(await standing('ann'), 'good');
  const first = performance.now() - began;
  t.ok(first >= 1900, 'the first check waits for the database');
  const again = performance.now();
  for (let index = 0; index < 500; index++) t.equal(await standing('ann'), 'good');
  t.ok(performance.now() - again < first, 'further checks do not wait');

  proxy.mode = 'refused';
  proxy.mode = 'open';
  await until(async () => (await standing('stranger')) === 'unknown', 'the database is asked again');
});

t.test('a question that fails alone makes no others fail', async (t) => {
  const outage = new DatabaseOutage();
  const fault = Object.assign(new Error('an invalid value'), { code: '22021' });
  await t.rejects(
    outage.ask(() => Promise.reject(fault)),
    fault,
  );
  t.equal(await outage.ask(async () => 'answer'), 'answer');
});
