/**
 * Opens the journals of 64 shards on a server with 100 connections, PostgreSQL's default. Each journal works with one
 * connection.
 */
import t from 'tap';
import { startEmbeddedPostgres } from '../../src/app/postgres/embedded-postgres.js';
import { connectionPlan } from '../../src/config/connections.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { startCompletionFeed } from '../../src/journal/feeds/completion-feed.js';
import { createLogger } from '../../src/log/logger.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { preparedFolder } from '../support/database/prepared-database.js';
import { until } from '../support/until.js';
import { change, opening, startOfTime, stored, testJournal } from './support.js';

const shards = 64;

t.test(`limits the connections of ${shards} journals on a server with 100 connections`, async (t) => {
  const server = await startEmbeddedPostgres({
    dataDir: await preparedFolder(t),
    log: createLogger('test', 'silent'),
    durable: false,
    connections: 100,
  });
  t.teardown(() => server.stop());
  const sql = connectDatabase(server.url, { max: 1, name: 'test' });
  const { journal: connections } = connectionPlan(loadSettings({ SHARDS: String(shards) }).values);
  t.equal(connections, 1);
  const engineId = 'crowd';
  const feed = startCompletionFeed(server.url, engineId);
  const spillDir = t.testdir();
  const journals = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      testJournal(server.url, spillDir, {
        engineId,
        shard,
        connections,
        sharedCompletions: true,
        databaseTimeout: 20_000,
      }),
    ),
  );
  t.teardown(async () => {
    await Promise.all(journals.map(({ journal }) => journal.close(0)));
    await feed.close();
    await sql.end({ timeout: 1 });
  });
  const leases = await Promise.all(
    journals.map(async ({ journal }, shard) =>
      Promise.all([0, 1, 2].map(async (n) => (await journal.open(opening({ uid: `u${shard}-${n}` }))).lease)),
    ),
  );
  let most = 0;
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      journals.map(async ({ journal }, shard) => {
        const changes = leases[shard]!.map((lease) =>
          change(lease, [stored(`s${round}`, `word ${round}`, round)]),
        );
        const [outcome] = await Promise.all([journal.commit(changes), journal.renew()]);
        t.strictSame([...new Set(outcome.values())], ['database']);
      }),
    );
    const [row] = await sql<{ held: number }[]>`
      select count(*)::integer as held from pg_stat_activity where application_name like 'cochlea journal%'`;
    most = Math.max(most, row!.held);
  }
  t.ok(most <= shards, `${most} connections of journals`);
  t.equal(
    journals.reduce((sum, { metrics }) => sum + metrics.get('journal_spilled_total'), 0),
    0,
  );

  const told: string[] = [];
  journals[7]!.journal.onCompleted((id) => told.push(`7 ${id}`));
  journals[8]!.journal.onCompleted((id) => told.push(`8 ${id}`));
  const lease = leases[7]![0]!;
  t.equal(await journals[7]!.journal.finish(lease, startOfTime), 'processing');
  await sql`update conversations set status = 'completed' where id = ${lease.conversationId}`;
  await sql`select pg_notify('conversation_completed', ${lease.conversationId})`;
  await until(() => told.length > 0);
  t.strictSame(told, [`7 ${lease.conversationId}`], 'the shard that finished it is told, once');
});
