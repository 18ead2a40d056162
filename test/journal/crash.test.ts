import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { startEmbeddedPostgres } from '../../src/app/postgres/embedded-postgres.js';
import type { Lease } from '../../src/journal/journal.js';
import { createLogger } from '../../src/log/logger.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { testDatabase } from '../support/database/database.js';
import { preparedFolder } from '../support/database/prepared-database.js';
import { until } from '../support/until.js';
import { startProxy } from './proxy.js';
import { change, opening, startOfTime, stored, testJournal } from './support.js';

t.test('loses and doubles nothing when PostgreSQL is killed during commits', async (t) => {
  const options = { dataDir: await preparedFolder(t), log: createLogger('test', 'silent'), durable: false };
  let server = await startEmbeddedPostgres(options);
  t.teardown(() => server.stop());
  const spillDir = t.testdir();

  interface Stored {
    readonly revision: number;
    readonly text: string;
  }
  let writing = true;
  t.teardown(() => {
    writing = false;
  });
  /** Number of commits so far, by destination. */
  const commits = { database: 0, spill: 0, fenced: 0 };
  const replayed: (() => number)[] = [];
  const writer = async (uid: string) => {
    const { journal, metrics } = await testJournal(server.url, spillDir, { databaseTimeout: 3000 });
    t.teardown(() => journal.close(0));
    replayed.push(() => metrics.get('journal_replayed_total'));
    const history = new Map<string, Stored>();
    let lease: Lease | undefined;
    for (let number = 0; writing; number++) {
      lease ??= (await journal.open(opening({ uid }))).lease;
      // Each commit adds a segment and extends the previous one, as merging does.
      const upserts = [stored(`s${number}`, `word ${number}`, number)];
      if (number > 0) upserts.push(stored(`s${number - 1}`, `word ${number - 1} and more`, number - 1, 2));
      const outcome = (await journal.commit([change(lease, upserts)])).get(lease.conversationId);
      if (typeof outcome === 'string') commits[outcome]++;
      if (outcome !== 'fenced') {
        for (const { segment, revision } of upserts)
          history.set(segment.id, { revision, text: segment.text });
      }
      // The pause imitates a stream, which commits only now and then. Without the pause, an outage would fill the spill
      // at the speed of the disk.
      await pause(5);
    }
    await until(() => metrics.get('journal_spill_depth') === 0);
    t.equal(await journal.finish(lease!, startOfTime), 'processing');
    await journal.close(1000);
    return { conversation: lease!.conversationId, history };
  };

  const replays = (): number => replayed.reduce((sum, of) => sum + of(), 0);
  const writers = [writer('ada'), writer('bob')];
  for (let kill = 0; kill < 3; kill++) {
    // The first kill comes while both engines write to the database. Later kills come while the spill of the last outage is replayed.
    const before = kill === 0 ? 0 : replays();
    await until(() => (kill === 0 ? commits.database >= 20 : replays() > before));
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    // Each outage lasts longer than the one before.
    const away = commits.spill + kill * 60;
    await until(() => commits.spill >= away);
    const { url } = server;
    server = await startEmbeddedPostgres(options);
    t.equal(server.url, url, 'it comes back at its address');
  }
  const before = replays();
  await until(() => replays() > before);
  writing = false;
  const histories = await Promise.all(writers);
  t.ok(commits.spill > 0, 'the outages were seen');
  const sql = connectDatabase(server.url, { max: 1 });
  for (const { conversation, history } of histories) {
    const rows = await sql`select id, revision, text from segments where conversation_id = ${conversation}`;
    const found = new Map(rows.map(({ id, revision, text }) => [id, { revision, text }]));
    t.strictSame(
      [...found].sort(),
      [...history].sort(),
      `${history.size} acknowledged segments are stored once`,
    );
  }
  await sql.end();
});

t.test('loses nothing acknowledged when an engine is killed while it spills', async (t) => {
  const { url, sql } = await testDatabase(t);
  const proxy = await startProxy(url);
  t.teardown(() => proxy.close());
  const spillDir = t.testdir();
  const script = fileURLToPath(new URL('./crashing-engine.js', import.meta.url));

  const runAndKill = async (uid: string, shard: number) => {
    proxy.mode = 'open';
    const engine = fork(script, [proxy.url, spillDir, 'phoenix', String(shard), uid], { execArgv: [] });
    const acknowledged: string[] = [];
    let conversation = '';
    let spilled = 0;
    engine.on('message', (message: { conversation?: string; id: string; how: string }) => {
      if (message.conversation !== undefined) {
        conversation = message.conversation;
        return;
      }
      acknowledged.push(message.id);
      if (message.how === 'spill') spilled++;
    });
    await until(() => acknowledged.length > 20);
    proxy.mode = 'refused';
    await until(() => spilled > 20);
    engine.kill('SIGKILL');
    await once(engine, 'exit');
    return { uid, conversation, acknowledged };
  };

  // Runs and kills two shards of one engine. Afterwards only one shard runs, which takes over both spills.
  const runs = [await runAndKill('cid', 0), await runAndKill('dee', 1)];
  proxy.mode = 'open';
  const { journal } = await testJournal(proxy.url, spillDir, { engineId: 'phoenix', databaseTimeout: 5000 });
  t.teardown(() => journal.close(0));
  for (const { uid, conversation, acknowledged } of runs) {
    const resumed = await journal.open(opening({ uid }));
    t.equal(resumed.lease.conversationId, conversation, 'the conversation continues');
    const rows = await sql`select id from segments where conversation_id = ${conversation} order by position`;
    const ids = rows.map(({ id }) => id);
    t.strictSame(
      acknowledged.filter((id) => !ids.includes(id)),
      [],
      `${acknowledged.length} acknowledged`,
    );
    t.equal(resumed.tail?.segment.id, ids.at(-1), 'from its last word');
  }
});
