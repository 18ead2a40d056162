/** Tests a sidecar on a machine whose clock is wrong. */
import t from 'tap';
import { testDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { startOnDatabase } from './support.js';

t.test('a sidecar is not ready if its clock is more than 5 s off', async (t) => {
  const { url, sql } = await testDatabase(t);
  for (const { ahead, status, clock } of [
    { ahead: 3000, status: 200, clock: true },
    { ahead: 8000, status: 503, clock: false },
  ]) {
    await t.test(`${ahead} ms ahead`, async (t) => {
      const api = await startOnDatabase(t, url, sql, { wall: () => Date.now() + ahead });
      await until(async () => (await api.call('/health/ready')).body.queue === true, 'the job queue is open');
      const answer = await api.call('/health/ready');
      t.match(answer, { status, body: { database: true, queue: true, clock } });
    });
  }
});
