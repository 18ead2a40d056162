/**
 * Tests a database that comes back with an older copy of its files. Engines then hold leases that are newer than the
 * copy. No lease may be issued twice, and no data of the copy or of a spill may be missing.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { startEmbeddedPostgres } from '../../src/app/postgres/embedded-postgres.js';
import type { Journal, Lease } from '../../src/journal/journal.js';
import { createLogger } from '../../src/log/logger.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { leaseKey } from '../../src/wire/spill/lease-key.js';
import { preparedFolder } from '../support/database/prepared-database.js';
import { until } from '../support/until.js';
import { change, opening, startOfTime, stored, testJournal } from './support.js';

const run = promisify(execFile);
const keys = ['ada', 'bob', 'cid', 'dee'];

interface Acknowledged {
  readonly conversation: string;
  readonly segment: string;
  readonly how: 'database' | 'spill';
}

t.test('a database that lost its latest changes', async (t) => {
  const dataDir = await preparedFolder(t);
  const options = { dataDir, log: createLogger('test', 'silent'), durable: false };
  let server = await startEmbeddedPostgres(options);
  t.teardown(() => server.stop());
  const files = join(dataDir, 'postgres', 'data');
  const copy = join(dataDir, 'postgres', 'data.copy');
  const stop = async (): Promise<void> => {
    await server.stop();
    await server.exited;
  };
  const start = async (): Promise<void> => {
    server = await startEmbeddedPostgres({ ...options, port: Number(new URL(server.url).port) });
  };

  // A second call of testdir would delete the folder while the first engine reads it.
  const spills = t.testdir({});
  const engines = await Promise.all(
    ['one', 'two'].map((engineId) => testJournal(server.url, spills, { engineId, databaseTimeout: 2000 })),
  );
  t.teardown(() => Promise.all(engines.map(({ journal }) => journal.close(0))));
  const level = () => until(() => engines.every(({ metrics }) => metrics.get('journal_spill_depth') === 0));
  const journalOf = (engine: number): Journal => engines[engine]!.journal;

  /** Every lease issued so far. */
  const handedOut: string[] = [];
  /** The newest lease of each engine and key. */
  const held = new Map<string, Lease>();
  const open = async (engine: number, uid: string): Promise<Lease> => {
    const { lease } = await journalOf(engine).open(opening({ uid }));
    handedOut.push(leaseKey(lease.conversationId, lease.epoch));
    held.set(`${engine} ${uid}`, lease);
    return lease;
  };
  let segments = 0;
  const acknowledged: Acknowledged[] = [];
  const say = async (engine: number, lease: Lease) => {
    const segment = `s${segments++}`;
    const conversation = lease.conversationId;
    const how = (
      await journalOf(engine).commit([change(lease, [stored(segment, `word ${segment}`, segments)])])
    ).get(conversation);
    if (how === 'database' || how === 'spill') acknowledged.push({ conversation, segment, how });
    return how;
  };
  /** Both engines acquire every key alternately, and write under each lease. Engine two acquires each key last. */
  const takeTurns = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) {
      for (const uid of keys) {
        for (const engine of [0, 1]) await say(engine, await open(engine, uid));
      }
    }
  };
  /** Two engines write under their leases. At most one of them may still own a conversation. */
  const noTwoOwners = async (): Promise<void> => {
    for (const uid of keys) {
      const leases = [0, 1].map((engine) => held.get(`${engine} ${uid}`)!);
      const outcomes = await Promise.all([say(0, leases[0]!), say(1, leases[1]!)]);
      if (leases[0]!.conversationId === leases[1]!.conversationId)
        t.ok(outcomes.includes('fenced'), `${uid}: ${outcomes.join(', ')}`);
    }
  };

  for (const [round, turns] of [1, 3].entries()) {
    await t.test(
      `time ${round + 1}: stores everything acknowledged again after ${turns} turns are lost`,
      async (t) => {
        await takeTurns(1);
        await noTwoOwners();
        await stop();
        await run('rm', ['-rf', copy]);
        await run('cp', ['-a', files, copy]);
        const inCopy = acknowledged.length;
        await start();
        // The journals detect the change themselves.
        await until(async () => (await say(1, await open(1, 'notices'))) === 'database');
        await level();
        await takeTurns(turns);
        const forgotten = new Map(held);
        await stop();
        // These words were acknowledged from the spill. Only the latest database files contain their leases.
        const beforeSpill = acknowledged.length;
        for (const uid of keys) t.equal(await say(1, held.get(`1 ${uid}`)!), 'spill');
        await open(0, 'born while it was away');
        await say(0, held.get('0 born while it was away')!);
        await run('rm', ['-rf', files]);
        await run('mv', [copy, files]);
        await start();
        await until(async () => (await say(0, await open(0, 'notices'))) === 'database');
        await level();
        await until(async () => (await say(1, await open(1, 'notices'))) === 'database');

        // Engine one acquires leases as often as in the lost period. If leases were numbered by a plain counter, the
        // same leases would now be issued again.
        for (let turn = 0; turn < turns; turn++) {
          for (const uid of keys) {
            await open(0, uid);
            await open(0, uid);
          }
        }
        for (const uid of keys) {
          const stale = forgotten.get(`1 ${uid}`)!;
          t.equal(await say(1, stale), 'fenced', `${uid}: a lease of the forgotten time does not write`);
        }
        await noTwoOwners();
        await takeTurns(1);
        t.equal(new Set(handedOut).size, handedOut.length, `${handedOut.length} leases, none twice`);

        const sql = connectDatabase(server.url, { max: 1 });
        const rows = await sql<
          { conversation_id: string; id: string }[]
        >`select conversation_id, id from segments`;
        await sql.end({ timeout: 1 });
        const found = new Set(rows.map(({ conversation_id, id }) => `${conversation_id} ${id}`));
        const promised = [...acknowledged.slice(0, inCopy), ...acknowledged.slice(beforeSpill)];
        t.strictSame(
          promised.filter(({ conversation, segment }) => !found.has(`${conversation} ${segment}`)),
          [],
          `${promised.length} acknowledged segments that the copy or a spill held`,
        );
        // Data that existed only in the lost files is gone, so the test no longer expects it.
        for (let index = acknowledged.length - 1; index >= 0; index--) {
          const { conversation, segment } = acknowledged[index]!;
          if (!found.has(`${conversation} ${segment}`)) acknowledged.splice(index, 1);
        }
      },
    );
  }
  t.equal(await journalOf(0).finish(await open(0, 'ada'), startOfTime), 'processing');
});
