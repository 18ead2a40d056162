/** Tests a journal whose commits are not confirmed by the synchronous standby. */
import t from 'tap';
import { connectDatabase } from '../../../src/store/client/database.js';
import { change, opening, startOfTime, stored, storedTexts, testJournal } from '../../journal/support.js';
import { openStandbyServer } from '../../support/database/standby.js';
import { until } from '../../support/until.js';

t.test('words whose wait for the standby was cancelled go to the spill, and are stored once', async (t) => {
  const { url, awaitStandby, cancelWaits, untilWaiting } = await openStandbyServer(t);
  const sql = connectDatabase(url, { max: 1, name: 'reader' });
  const { journal, metrics } = await testJournal(url, t.testdir(), { databaseTimeout: 10_000 });
  t.teardown(async () => {
    await journal.close(0);
    await sql.end({ timeout: 0 });
  });
  const { lease } = await journal.open(opening());
  const id = lease.conversationId;
  await awaitStandby(true);
  const committed = journal.commit([change(lease, [stored('a', 'one')])]);
  await untilWaiting('cochlea journal%');
  t.equal(metrics.get('journal_spilled_total'), 0, 'nothing is acknowledged while the commit waits');
  await cancelWaits();
  t.equal((await committed).get(id), 'spill');
  const more = await journal.commit([change(lease, [stored('a', 'one two', 0, 2), stored('b', 'three', 1)])]);
  t.equal(more.get(id), 'spill');
  t.equal(await journal.finish(lease, startOfTime), 'spill');
  await awaitStandby(false);
  await until(() => metrics.get('journal_spill_depth') === 0);
  t.strictSame(await storedTexts(sql, id), ['one two', 'three']);
  const [row] = await sql`select status from conversations where id = ${id}`;
  t.equal(row!.status, 'processing');
});
