/** Announcements are sent after the commit: by the announcer if it carries the channel, otherwise by the database. */
import t from 'tap';
import { type Announcer, announce, announcing } from '../../../src/store/client/announcements.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

t.test('a pool announces at once, a transaction after its commit, and a failed one never', async (t) => {
  const { url, sql } = await testDatabase(t);
  const told: string[] = [];
  const notified: string[] = [];
  const announcer: Announcer = {
    carries: (channel) => channel === 'carried',
    publish: (channel, payload) => told.push(`${channel} ${payload}`),
  };
  const pool = connectDatabase(url, { max: 1, announcer });
  t.teardown(() => pool.end({ timeout: 1 }));
  for (const channel of ['carried', 'other'])
    await sql.listen(channel, (id) => notified.push(`${channel} ${id}`));

  await announce(pool, 'carried', '1');
  t.same(told, ['carried 1']);
  await pool.begin(async (transaction) => {
    await announce(transaction, 'carried', '2');
    const { notifies, tell } = announcing(transaction, 'carried');
    t.notOk(notifies);
    tell('3');
    t.same(told, ['carried 1'], 'nothing before the commit');
  });
  t.same(told, ['carried 1', 'carried 2', 'carried 3']);
  await t.rejects(
    pool.begin(async (transaction) => {
      await announce(transaction, 'carried', '4');
      await announce(transaction, 'other', '4');
      throw new Error('undone');
    }),
    /undone/,
  );
  await pool.begin(async (transaction) => announce(transaction, 'other', '5'));
  const plain = connectDatabase(url, { max: 1 });
  t.teardown(() => plain.end({ timeout: 1 }));
  await announce(plain, 'carried', '6');
  await until(() => notified.length === 2);
  t.same(notified, ['other 5', 'carried 6'], 'the database carries the rest');
  t.equal(told.length, 3);
});
