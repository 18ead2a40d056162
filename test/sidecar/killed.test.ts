/**
 * Two sidecars, each a process of its own, on one database. One of them is killed while it creates something, at several points
 * of its transaction; the other one is sent the same request, and there is one row in the end. Limits stay shared.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { freePort } from '../../bench/fleet/free-port.js';
import { createApiKey, createUser, developerScopes } from '../../src/identity/index.js';
import type { Sql } from '../../src/store/database.js';
import { testDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { fromSegments, said, testSettings } from './support.js';

const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));

interface Process {
  readonly base: string;
  kill(): Promise<void>;
}

const startSidecarProcess = async (
  t: { teardown(action: () => unknown): unknown },
  databaseUrl: string,
  dataDir: string,
): Promise<Process> => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const child: ChildProcess = spawn(process.execPath, [command, 'sidecar'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SIDECAR_PORT: String(port),
      COCHLEA_DATA_DIR: dataDir,
      RATE_LIMIT_BOOST: '1',
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  t.teardown(kill);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the sidecar ended with ${child.exitCode}`);
    const answer = await fetch(`${base}/health/ready`).catch(() => null);
    return answer?.status === 200;
  }, 'the sidecar is ready');
  return { base, kill };
};

/** Where in its transaction a request is held up. */
type Point =
  | 'before its key is taken'
  | 'before its row is written'
  | 'before the rest is written'
  | 'while it commits';

/** A request that creates, and where its rows are. */
interface Creation {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  /** The header that makes it repeatable; without it the body does. */
  readonly key: boolean;
  readonly table: string;
  /** A table that it writes after its own. */
  readonly beside?: string;
  readonly points: readonly Point[];
}

const talk = [said('We discussed the budget of the garden project.')];
const creations: readonly Creation[] = [
  {
    name: 'an action item',
    path: '/v1/dev/user/action-items',
    body: { description: 'Send the plan' },
    key: true,
    table: 'action_items',
    points: ['before its key is taken', 'before its row is written', 'while it commits'],
  },
  {
    name: 'memories',
    path: '/v1/dev/user/memories/batch',
    body: { memories: [{ content: 'Grows tomatoes.' }] },
    key: true,
    table: 'memories',
    points: ['before its row is written'],
  },
  {
    name: 'a goal',
    path: '/v1/dev/user/goals',
    body: { title: 'Read more' },
    key: true,
    table: 'goals',
    points: ['while it commits'],
  },
  {
    name: 'a conversation of a client session',
    path: fromSegments,
    body: { transcript_segments: talk, client_session_id: 'walk' },
    key: false,
    table: 'conversations',
    beside: 'segments',
    points: ['before its row is written', 'before the rest is written', 'while it commits'],
  },
  {
    name: 'a conversation from a text',
    path: '/v1/dev/user/conversations',
    body: { text: 'We discussed the budget of the garden project.' },
    key: true,
    table: 'conversations',
    points: ['while it commits'],
  },
];

/** Holds up every commit that has written to a table, while another transaction holds the same advisory lock. */
const commitGate = 4711;
const addCommitGate = async (sql: Sql, table: string): Promise<void> => {
  await sql.unsafe(`
    create or replace function wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${commitGate}); return null; end $$;
    drop trigger if exists wait_at_commit on ${table};
    create constraint trigger wait_at_commit after insert on ${table}
      deferrable initially deferred for each row execute function wait_at_commit()`);
};

/** What holds a request up; the test takes the lock in a transaction of its own. */
const lockAt = (point: Point, { table, beside }: Creation): string => {
  switch (point) {
    case 'before its key is taken':
      return 'lock table idempotency_keys in exclusive mode';
    case 'before its row is written':
      return `lock table ${table} in exclusive mode`;
    case 'before the rest is written':
      return `lock table ${beside} in exclusive mode`;
    case 'while it commits':
      return `select pg_advisory_xact_lock(${commitGate})`;
  }
};

/** Waits until so many requests wait for a lock; jobs have connections of another name. */
const untilWaiting = (sql: Sql, requests: number): Promise<unknown> =>
  until(async () => {
    const [row] = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and application_name = 'cochlea sidecar' and wait_event_type = 'Lock'
        and state = 'active'`;
    return row!.waiting >= requests;
  }, `${requests} requests wait for a lock`);

// Eleven processes are started one after the other, which takes a while on a busy machine.
t.test('a sidecar that is killed while it creates', { timeout: 400_000 }, async (t) => {
  const { sql, url } = await testDatabase(t);
  const dataDir = t.testdir();
  const settings = testSettings();
  const person = async (uid: string): Promise<string> => {
    await createUser(sql, { uid });
    return (await createApiKey(sql, settings, { uid, name: 'test', scopes: [...developerScopes] })).key;
  };
  const start = () => startSidecarProcess(t, url, dataDir);
  const pair = [start(), start()];
  let turn = 0;

  for (const table of new Set(creations.map((creation) => creation.table))) await addCommitGate(sql, table);

  for (const creation of creations) {
    for (const point of creation.points) {
      await t.test(`${creation.name}, ${point}`, async (t) => {
        const uid = `killed-${turn}`;
        const key = await person(uid);
        const send = (base: string) =>
          fetch(base + creation.path, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${key}`,
              'content-type': 'application/json',
              ...(creation.key && { 'idempotency-key': 'once' }),
            },
            body: JSON.stringify(creation.body),
          });
        // Each of the two is killed in turn.
        const killed = turn % 2;
        const [victim, survivor] = [await pair[killed]!, await pair[1 - killed]!];
        turn++;
        let repeated: Promise<Response> | undefined;
        await sql.begin(async (transaction) => {
          await transaction.unsafe(lockAt(point, creation));
          const first = send(victim.base).then(
            ({ status }) => `answered ${status}`,
            () => 'broken off',
          );
          await untilWaiting(sql, 1);
          await victim.kill();
          pair[killed] = start();
          t.equal(await first, 'broken off', 'the killed sidecar did not answer');
          repeated = send(survivor.base);
          // It waits for the same lock, or for the transaction of the killed one.
          await untilWaiting(sql, 2);
        });
        const answer = await repeated!;
        t.equal(answer.status, 200);
        const body = (await answer.json()) as { id?: string; memories?: { id: string }[] };
        const id = body.id ?? body.memories?.[0]?.id;
        const rows = await sql.unsafe(`select id from ${creation.table} where uid = $1`, [uid]);
        t.same(
          rows.map((row) => row.id),
          [id],
          'one row, and the answer names it',
        );
        const again = (await (await send(survivor.base)).json()) as typeof body;
        t.equal(again.id ?? again.memories?.[0]?.id, id, 'a further repetition names it, too');
        if (creation.table === 'conversations') {
          const [row] = await sql`
            select status, (select count(*)::integer from segments where conversation_id = c.id) as segments
            from conversations c where id = ${id!}`;
          t.same(row, { status: 'completed', segments: creation.beside ? 1 : 0 }, 'complete');
        }
      });
    }
  }

  await t.test('limits stay shared when either is killed', async (t) => {
    const key = await person('limited');
    const ask = async (base: string): Promise<[status: number, remaining: number]> => {
      const answer = await fetch(base + fromSegments, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{}',
      });
      return [answer.status, Number(answer.headers.get('x-ratelimit-remaining'))];
    };
    let allowed = 25;
    const spend = async (base: string, times: number): Promise<void> => {
      for (let count = 0; count < times; count++) t.same(await ask(base), [422, --allowed]);
    };
    const [one, other] = [await pair[0]!, await pair[1]!];
    await spend(one.base, 6);
    await spend(other.base, 4);
    await one.kill();
    await spend(other.base, 5);
    const restarted = await start();
    await spend(restarted.base, 5);
    await other.kill();
    await spend(restarted.base, 5);
    t.same(await ask(restarted.base), [429, 0], 'the one that took none of the first requests knows of them');
  });
});
