/**
 * Kills a sidecar at several steps of an account's deletion. The next sidecar continues, and in the end no data
 * remains.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { createUser } from '../../../src/identity/users.js';
import { beginDeletion, isDeletionFinished } from '../../../src/store/accounts/account-deletions.js';
import { ownedTables } from '../../../src/store/schema/owned-tables.js';
import { testDatabase } from '../../support/database/database.js';
import { testSecret } from '../../support/issuer-secret.js';
import { until } from '../../support/until.js';
import { testSettings } from '../support.js';

const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));
const gate = 4713;
/**
 * Number of conversations, and number of segments of each. They fill two chunks of segments and several chunks of
 * conversations.
 */
const [talks, words] = [1100, 2];

const waiting = `select pid from pg_stat_activity where datname = current_database()
  and application_name = 'cochlea pipeline' and wait_event_type = 'Lock' and state = 'active'`;

t.test('deletion of an account after the sidecar is killed', { timeout: 400_000 }, async (t) => {
  const { sql, url } = await testDatabase(t);
  const settings = testSettings();
  const port = String(await freePort());
  const dataDir = t.testdir();
  const start = (): ChildProcess =>
    spawn(process.execPath, [command, 'sidecar'], {
      env: {
        ...process.env,
        DATABASE_URL: url,
        SIDECAR_PORT: port,
        COCHLEA_DATA_DIR: dataDir,
        ISSUER_SECRET: testSecret,
      },
      stdio: 'ignore',
    });
  const kill = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  };
  await sql.unsafe(`create function wait_at_gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${gate}); return null; end $$`);
  const tables = await ownedTables(sql);
  const rowsOf = async (owner: string): Promise<string[]> => {
    const found: string[] = [];
    for (const { name, condition } of tables) {
      const rows = await sql.unsafe(`select 1 from "${name}" as t where ${condition} limit 1`, [owner]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  };

  const [uid, other] = [randomUUID(), randomUUID()];
  for (const owner of [uid, other]) {
    await createUser(sql, { uid: owner, email: `${owner}@example.org` });
    await createApiKey(sql, settings, { uid: owner, name: 'k' });
    await sql`
      with talks as (
        insert into conversations (id, uid, status, source, created_at, last_speech_at)
        select gen_random_uuid(), ${owner}, 'completed', 'phone', now(), now() from generate_series(1, ${talks}) returning id
      )
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
      select n::text, id, n, 1, 'word', 'SPEAKER_00', 0, false, 0, 1 from talks, generate_series(1, ${words}) as n`;
    await sql`
      insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, created_at, updated_at)
      values (gen_random_uuid(), ${owner}, 'x', 'other', 'private', false, false, '', now(), now())`;
  }
  const others = await rowsOf(other);
  await beginDeletion(sql, uid);

  const steps = [
    ['delete', 'segments', 'lost'],
    ['delete', 'conversations', 'committed'],
    ['delete', 'users', 'lost'],
    ['update', 'account_deletions', 'lost'],
  ] as const;
  for (const [operation, table, fate] of steps) {
    await t.test(`killed during ${operation} in ${table}, transaction ${fate}`, async (t) => {
      await sql.unsafe(
        `create trigger wait_at_gate after ${operation} on ${table} execute function wait_at_gate()`,
      );
      await sql.begin(async (transaction) => {
        await transaction.unsafe(`select pg_advisory_xact_lock(${gate})`);
        const sidecar = start();
        t.teardown(() => kill(sidecar));
        await until(async () => {
          if (sidecar.exitCode !== null) throw new Error(`the sidecar ended with ${sidecar.exitCode}`);
          return (await sql.unsafe(waiting)).length > 0;
        }, 'the statement waits');
        await kill(sidecar);
        if (fate === 'lost') await sql.unsafe(`select pg_terminate_backend(pid) from (${waiting}) as w`);
      });
      await until(async () => (await sql.unsafe(waiting)).length === 0, 'no statement waits');
      await sql.unsafe(`drop trigger wait_at_gate on ${table}`);
      t.ok((await rowsOf(uid)).includes('users'), 'some rows remain');
    });
  }
  const last = start();
  t.teardown(() => kill(last));
  await until(() => isDeletionFinished(sql, uid), 'the next sidecar completes the deletion');
  t.same(await rowsOf(uid), []);
  t.same(await rowsOf(other), others, 'another user keeps all rows');
});
