/**
 * Two sidecar processes use one database. The test kills one process while it creates several records, each at a
 * different point of its transaction. The other process gets the same requests. In the end each record exists once.
 * Rate limits remain shared.
 */
import t from 'tap';
import { createApiKey } from '../../src/identity/api-keys.js';
import { developerScopes } from '../../src/identity/scopes.js';
import { createUser } from '../../src/identity/users.js';
import type { Sql } from '../../src/store/client/database.js';
import { testDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { message } from './mcp/tool-support.js';
import { type SidecarProcess, startSidecarProcess } from './sidecar-process.js';
import { fromSegments, said, testSettings } from './support.js';

/** The point of a request's transaction at which the test blocks the request. */
type Point =
  | 'before its idempotency key is stored'
  | 'before its row is written'
  | 'before its segments are written'
  | 'while it commits';

/** A request that creates a record. */
interface Creation {
  readonly path: string;
  readonly body: object;
  /**
   * Whether the `Idempotency-Key` header makes the request repeatable. Otherwise `client_session_id` in the body does.
   */
  readonly key: boolean;
  readonly table: string;
  /** A second table, which the request writes after `table`. */
  readonly beside?: string;
}

const talk = [said('We discussed the budget of the garden project.')];
const creations = {
  'an action item': {
    path: '/v1/dev/user/action-items',
    body: { description: 'Send the plan' },
    key: true,
    table: 'action_items',
  },
  memories: {
    path: '/v1/dev/user/memories/batch',
    body: { memories: [{ content: 'Grows tomatoes.' }] },
    key: true,
    table: 'memories',
  },
  'a goal': {
    path: '/v1/dev/user/goals',
    body: { title: 'Read more' },
    key: true,
    table: 'goals',
  },
  'a conversation of a client session': {
    path: fromSegments,
    body: { transcript_segments: talk, client_session_id: 'walk' },
    key: false,
    table: 'conversations',
    beside: 'segments',
  },
  'a conversation from a text': {
    path: '/v1/dev/user/conversations',
    body: { text: 'We discussed the budget of the garden project.' },
    key: true,
    table: 'conversations',
  },
} as const satisfies Record<string, Creation>;

/**
 * The requests that are blocked at each kill. Each round has several, because a restart takes seconds. A lock of a
 * round must not block a request of the same round before that request has reached its own point.
 */
const rounds: readonly (readonly (readonly [name: keyof typeof creations, point: Point])[])[] = [
  [
    ['an action item', 'before its idempotency key is stored'],
    ['a conversation of a client session', 'before its row is written'],
  ],
  [
    ['an action item', 'before its row is written'],
    ['memories', 'before its row is written'],
    ['a goal', 'while it commits'],
    ['a conversation of a client session', 'before its segments are written'],
  ],
  [
    ['an action item', 'while it commits'],
    ['a conversation of a client session', 'while it commits'],
    ['a conversation from a text', 'while it commits'],
  ],
];

/**
 * Makes every commit that has inserted into the table wait while another transaction holds the advisory lock
 * `commitGate`.
 */
const commitGate = 4711;
const addCommitGate = async (sql: Sql, table: string): Promise<void> => {
  await sql.unsafe(`
    create or replace function wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${commitGate}); return null; end $$;
    drop trigger if exists wait_at_commit on ${table};
    create constraint trigger wait_at_commit after insert on ${table}
      deferrable initially deferred for each row execute function wait_at_commit()`);
};

/** Returns the SQL of the lock for which a request waits at the point. The test takes the lock in its own transaction. */
const lockAt = (point: Point, { table, beside }: Creation): string => {
  switch (point) {
    case 'before its idempotency key is stored':
      return 'lock table idempotency_keys in exclusive mode';
    case 'before its row is written':
      return `lock table ${table} in exclusive mode`;
    case 'before its segments are written':
      return `lock table ${beside} in exclusive mode`;
    case 'while it commits':
      return `select pg_advisory_xact_lock(${commitGate})`;
  }
};

/**
 * Waits until this number of requests wait for a lock. Background jobs are not counted, because their connections have
 * a different name.
 */
const untilWaiting = (sql: Sql, requests: number): Promise<unknown> =>
  until(async () => {
    const [row] = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and application_name = 'cochlea sidecar' and wait_event_type = 'Lock'
        and state = 'active'`;
    return row!.waiting >= requests;
  }, `${requests} requests wait for a lock`);

// The timeout is long because the processes start one after the other, which is slow on a busy machine.
t.test('records and limits after a sidecar is killed', { timeout: 400_000 }, async (t) => {
  const { sql, url } = await testDatabase(t);
  const dataDir = t.testdir();
  const settings = testSettings();
  const person = async (uid: string): Promise<string> => {
    await createUser(sql, { uid });
    return (await createApiKey(sql, settings, { uid, name: 'test', scopes: [...developerScopes] })).key;
  };
  const start = async () => {
    const sidecar = await startSidecarProcess(t, {
      DATABASE_URL: url,
      COCHLEA_DATA_DIR: dataDir,
      RATE_LIMIT_BOOST: '1',
      // A round needs one connection for each of its requests, and more for queries outside the blocked transactions.
      DATABASE_CONNECTIONS: '200',
      // The timeout is long, because every request of a round waits until the slowest request reaches its lock.
      REQUEST_TIMEOUT: '300000',
    });
    await sidecar.ready();
    return sidecar;
  };
  const pair = [start(), start()];
  for (const table of new Set(Object.values(creations).map((creation) => creation.table)))
    await addCommitGate(sql, table);

  for (const [turn, round] of rounds.entries()) {
    const requests = await Promise.all(
      round.map(async ([name, point], place) => {
        const creation: Creation = creations[name];
        const uid = `killed-${turn}-${place}`;
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
        return { name, point, creation, uid, send };
      }),
    );
    // Rounds kill the two sidecars alternately.
    const killed = turn % 2;
    const [victim, survivor] = [await pair[killed]!, await pair[1 - killed]!];
    let first: Promise<string>[] = [];
    let repeated: Promise<Response>[] = [];
    await sql.begin(async (transaction) => {
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      for (const lock of new Set(requests.map(({ point, creation }) => lockAt(point, creation))))
        await transaction.unsafe(lock);
      first = requests.map(({ send }) =>
        send(victim.base).then(
          ({ status }) => `answered ${status}`,
          () => 'broken off',
        ),
      );
      await untilWaiting(sql, requests.length);
      await victim.kill();
      pair[killed] = start();
      repeated = requests.map(({ send }) => send(survivor.base));
      // The repeated requests wait for the test's locks, or for the transactions of the killed sidecar.
      await untilWaiting(sql, 2 * requests.length);
    });
    for (const [place, { name, point, creation, uid, send }] of requests.entries()) {
      await t.test(`${name}, ${point}`, async (t) => {
        t.equal(await first[place], 'broken off', 'the killed sidecar did not answer');
        const answer = await repeated[place]!;
        t.equal(answer.status, 200);
        const body = (await answer.json()) as { id?: string; memories?: { id: string }[] };
        const id = body.id ?? body.memories?.[0]?.id;
        const rows = await sql.unsafe(`select id from ${creation.table} where uid = $1`, [uid]);
        t.same(
          rows.map((row) => row.id),
          [id],
          'one row exists, and the answer has its id',
        );
        const again = (await (await send(survivor.base)).json()) as typeof body;
        t.equal(again.id ?? again.memories?.[0]?.id, id, 'another repetition returns the same id');
        if (creation.table === 'conversations') {
          const [row] = await sql`
            select status, (select count(*)::integer from segments where conversation_id = c.id) as segments
            from conversations c where id = ${id!}`;
          t.same(
            row,
            { status: 'completed', segments: creation.beside ? 1 : 0 },
            'the conversation is complete',
          );
        }
      });
    }
  }

  await t.test(
    'sessions of the tool server survive a killed sidecar, and ended sessions remain ended',
    async (t) => {
      const { uid } = await createUser(sql, { uid: 'assisted' });
      const scopes = ['memories.read'] as const;
      const { key } = await createApiKey(sql, settings, { uid, name: 'test', family: 'mcp', scopes });
      const send = (
        { base }: SidecarProcess,
        session: string,
        method = 'POST',
        body?: object,
      ): Promise<Response> =>
        fetch(`${base}/v1/mcp/sse`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            ...(session && { 'mcp-session-id': session }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
      const opened = async (at: SidecarProcess): Promise<string> =>
        (await send(at, '', 'POST', message('initialize'))).headers.get('mcp-session-id')!;
      const lists = async (at: SidecarProcess, session: string): Promise<number> =>
        (await send(at, session, 'POST', message('tools/list'))).status;
      const [one, other] = [await pair[0]!, await pair[1]!];
      const [kept, left] = [await opened(one), await opened(one)];
      t.same([await lists(one, kept), await lists(other, kept), await lists(other, left)], [200, 200, 200]);
      t.equal((await send(one, left, 'DELETE')).status, 204);
      await one.kill();
      t.equal(await lists(other, kept), 200, 'a session that the killed sidecar opened');
      await until(async () => (await lists(other, left)) === 404, 'a session that the killed sidecar ended');
      pair[0] = start();
      const again = await pair[0]!;
      t.same(
        [await lists(again, kept), await lists(again, left)],
        [200, 404],
        'also at the restarted sidecar',
      );
    },
  );

  await t.test('rate limits remain shared when either sidecar is killed', async (t) => {
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
    t.same(
      await ask(restarted.base),
      [429, 0],
      'the restarted sidecar counts requests from before its start',
    );
  });
});
