/** Tests requests whose commit is not confirmed by the synchronous standby. */
import t from 'tap';
import { connectDatabase } from '../../../src/store/client/database.js';
import { openStandbyServer } from '../../support/database/standby.js';
import { startOnDatabase } from '../support.js';

t.test('a request whose wait for the standby was cancelled fails, and can be repeated', async (t) => {
  const { url, awaitStandby, cancelWaits, untilWaiting } = await openStandbyServer(t);
  const sql = connectDatabase(url, { max: 1, name: 'reader' });
  t.teardown(() => sql.end({ timeout: 0 }));
  const api = await startOnDatabase(t, url, sql);
  const ann = await api.person(['memories:read', 'memories:write']);
  const request = {
    credential: ann.key,
    body: { content: 'Ann likes tea.' },
    headers: { 'idempotency-key': 'once' },
  };
  await awaitStandby(true);
  const answer = api.call('/v1/dev/user/memories', request);
  await untilWaiting('cochlea sidecar%');
  await cancelWaits();
  t.match(await answer, { status: 503, body: { detail: /database is unavailable/ } });

  const again = api.call('/v1/dev/user/memories', request);
  await untilWaiting('cochlea sidecar%');
  t.pass('the repeated request also waits for the standby');
  await awaitStandby(false);
  t.equal((await again).status, 200);
  const [row] = await sql`select count(*)::integer as count from memories where uid = ${ann.uid}`;
  t.equal(row!.count, 1);
});
