/**
 * Tests an issuer without its database. It answers 503 and never 401, so that clients keep their tokens and try again.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { startEmbeddedPostgres } from '../../../src/app/postgres/embedded-postgres.js';
import { assistantResource } from '../../../src/identity/assistant-resource.js';
import { createUser } from '../../../src/identity/users.js';
import { recordHash } from '../../../src/issuer/record-hash.js';
import { createLogger } from '../../../src/log/logger.js';
import { startSidecar } from '../../../src/sidecar/start-sidecar.js';
import { storeRecord } from '../../../src/store/accounts/issuer-records.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { prepareDatabase } from '../../support/database/prepared-database.js';
import { until } from '../../support/until.js';
import { testSettings } from '../support.js';
import { assistants, Browser } from './sign-in-support.js';

const log = createLogger('test', 'silent');

t.test("outage of the issuer's database", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-issuer-'));
  await prepareDatabase(dataDir);
  let database = await startEmbeddedPostgres({ dataDir, log });
  const port = String(await freePort());
  const settings = testSettings({
    SIDECAR_PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    COCHLEA_DATA_DIR: dataDir,
    REQUEST_TIMEOUT: '2000',
    OAUTH_CLIENTS: JSON.stringify(assistants),
  });
  const sidecar = await startSidecar({ settings, databaseUrl: database.url, log });
  const sql = connectDatabase(database.url);
  t.teardown(async () => {
    await sidecar.close();
    await sql.end({ timeout: 1 });
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await createUser(sql, { uid: 'ann' });
  const aud = assistantResource(settings);
  const [access, refresh] = ['svc_oat_access', 'svc_ort_refresh'];
  const record = { uid: 'ann', clientId: 'helper', grantId: 'g', sessionUid: null, expiresIn: 600 };
  const payload = { accountId: 'ann', clientId: 'helper', grantId: 'g', scope: 'memories.read' };
  const exp = Math.floor(Date.now() / 1000) + 600;
  await storeRecord(sql, {
    ...record,
    kind: 'Grant',
    hash: recordHash('g'),
    payload: {
      accountId: 'ann',
      clientId: 'helper',
      kind: 'Grant',
      exp,
      resources: { [aud]: 'memories.read' },
    },
  });
  await storeRecord(sql, {
    ...record,
    kind: 'AccessToken',
    hash: recordHash(access),
    payload: { ...payload, kind: 'AccessToken', aud, exp },
  });
  await storeRecord(sql, {
    ...record,
    kind: 'RefreshToken',
    hash: recordHash(refresh),
    payload: { ...payload, kind: 'RefreshToken', gty: 'authorization_code', resource: aud, exp },
  });

  const base = `http://127.0.0.1:${port}`;
  const profile = () => fetch(`${base}/v1/mcp/profile`, { headers: { authorization: `Bearer ${access}` } });
  const initialize = () =>
    fetch(`${base}/v1/mcp/sse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
    });
  const renew = () =>
    fetch(`${base}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'helper', refresh_token: refresh }),
    });
  t.equal((await profile()).status, 200);
  // The first request creates the OIDC provider. Later requests then fail only because of the database.
  await new Browser(base).get('/account');

  const stopped = (
    await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name like 'cochlea%' and pid <> pg_backend_pid()`
  ).map(({ pid }) => pid);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  const late = await renew().finally(() => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  });
  t.equal(late.status, 503, 'a database that does not respond');
  t.equal(late.headers.get('retry-after'), '30');
  t.match(await late.json(), { error: 'temporarily_unavailable' });
  t.equal((await profile()).status, 200);

  await database.stop();
  t.equal((await profile()).status, 503);
  t.equal((await initialize()).status, 503);
  const refused = await renew();
  t.equal(refused.status, 503);
  t.equal(refused.headers.get('retry-after'), '30');
  t.match(await refused.json(), { error: 'temporarily_unavailable' });
  const begun = new URLSearchParams({
    client_id: 'helper',
    response_type: 'code',
    redirect_uri: assistants[0].redirect_uris[0],
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const told = await new Browser(base).get(`/authorize?${begun}`);
  t.ok(told.status === 503 || told.url.includes('error=temporarily_unavailable'), 'the client can try again');
  t.equal((await new Browser(base).get('/account')).status, 503);

  database = await startEmbeddedPostgres({ dataDir, log });
  await until(async () => (await profile()).status === 200, 'the database answers again');
  const renewed = await renew();
  t.equal(renewed.status, 200, 'the late request did not use up the refresh token');
  t.match(await renewed.json(), { scope: 'memories.read' });
});
