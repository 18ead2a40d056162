/** Tests `directSender`, which sends statements to a pool without the promises of postgres.js. */
import { inspect } from 'node:util';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { preparedRaw, preparedText } from '../../../src/store/client/constant-text.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { sendsDirectly } from '../../../src/store/client/direct-statement.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

const failureOf = (work: Promise<unknown>): Promise<{ name?: string; code?: string } | null> =>
  work.then(
    () => null,
    (error: { name?: string; code?: string }) => error,
  );

/** Waits until the pool's statement is in `pg_sleep`, and then terminates its connection. `name` is the pool's name. */
const killAsleep = async (sql: Sql, name: string): Promise<void> => {
  const application = `cochlea ${name}`;
  const asleep = async (): Promise<boolean> =>
    (
      await sql`select from pg_stat_activity where application_name = ${application} and wait_event = 'PgSleep'`
    ).length > 0;
  await until(asleep, 'the statement sleeps');
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${application}`;
};

t.test("a pool sends statements directly, and a transaction's connection does not", async (t) => {
  const { sql } = await testDatabase(t);
  t.type(Reflect.get(sql, sendsDirectly), 'function');
  await sql.begin(async (transaction) => {
    t.equal(Reflect.get(transaction, sendsDirectly), undefined);
    const text = "select set_config('cochlea.test', $1, true) as set";
    await preparedText(transaction, text, ['within']);
    const [row] = await preparedRaw(transaction, "select current_setting('cochlea.test')", []);
    t.equal(row![0]!.toString(), 'within');
  });
  const [after] = await preparedRaw(sql, "select nullif(current_setting('cochlea.test', true), '')", []);
  t.equal(after![0], null);
});

t.test("raw rows have the server's bytes in the server's order", async (t) => {
  const { sql } = await testDatabase(t);
  const text = 'select n, n * 1.50, null, repeat($1, n) from generate_series(1, $2::integer) as n';
  const rows = await preparedRaw(sql, text, ['\u{1f600}', 3]);
  t.same(
    rows.map((row) => row.map((value) => value?.toString() ?? null)),
    [1, 2, 3].map((n) => [`${n}`, `${(n * 1.5).toFixed(2)}`, null, '\u{1f600}'.repeat(n)]),
  );
  t.same([...(await preparedRaw(sql, 'select 1 where $1::boolean', [false]))], []);
});

t.test('returns the number of changed rows', async (t) => {
  const { sql } = await testDatabase(t);
  await sql`create table numbers (number integer)`;
  const insert = 'insert into numbers select generate_series(1, $1::integer)';
  t.equal((await preparedText(sql, insert, [3])).count, 3);
  t.equal((await preparedText(sql, insert, [0])).count, 0);
});

t.test(
  'returns the right rows for more statements than connections, with other statements and transactions between',
  async (t) => {
    const { url } = await testDatabase(t);
    const pool = connectDatabase(url, { max: 3, name: 'mixed' });
    t.teardown(() => pool.end({ timeout: 1 }));
    const lengths = Array.from({ length: 200 }, (_, index) => (index % 10 === 0 ? 100_000 + index : index));
    const found = await Promise.all(
      lengths.map(async (length, index): Promise<number> => {
        const text = 'select repeat($1::text, $2::integer) as words';
        if (index % 7 === 3)
          return (await pool`select repeat('x', ${length}::integer) as words`)[0]!.words.length;
        if (index % 7 === 5)
          return pool.begin(async (own) => (await preparedText(own, text, ['x', length]))[0]!.words.length);
        if (index % 2 === 0) return (await preparedRaw(pool, text, ['x', length]))[0]![0]!.length;
        return (await preparedText(pool, text, ['x', length]))[0]!.words.length;
      }),
    );
    t.same(found, lengths);
  },
);

t.test('a lost connection fails its statements, and the pool works again', async (t) => {
  const { url, sql } = await testDatabase(t);
  const pool = connectDatabase(url, { max: 1, name: 'lost' });
  t.teardown(() => pool.end({ timeout: 1 }));
  const sleeping = preparedText(pool, 'select pg_sleep($1::double precision)', [30]);
  const waiting = preparedText(pool, 'select $1::text as behind', ['it']);
  const failures = Promise.all([failureOf(sleeping), failureOf(waiting)]);
  await killAsleep(sql, 'lost');
  for (const failure of await failures) t.match(failure?.code, /^(?:57P01|CONNECTION_CLOSED)$/);
  t.equal((await preparedText(pool, 'select $1::text as again', ['x']))[0]!.again, 'x');
});

t.test('a statement fails on a pool that has ended or has no server', async (t) => {
  const { url } = await testDatabase(t);
  const pool = connectDatabase(url, { max: 1 });
  await preparedText(pool, 'select 1', []);
  await pool.end({ timeout: 1 });
  t.equal((await failureOf(preparedText(pool, 'select 1', [])))?.code, 'CONNECTION_ENDED');
  const away = connectDatabase(`postgres://nobody@127.0.0.1:${await freePort()}/none`, { max: 1 });
  t.teardown(() => away.end({ timeout: 1 }));
  t.equal((await failureOf(preparedRaw(away, 'select 1', [])))?.code, 'ECONNREFUSED');
});

t.test('reports slow statements without their values', async (t) => {
  const { url } = await testDatabase(t);
  const reports: [string, number][] = [];
  const pool = connectDatabase(url, {
    max: 1,
    slow: { longerThan: 50, report: (...report) => void reports.push(report) },
  });
  t.teardown(() => pool.end({ timeout: 1 }));
  await preparedText(pool, 'select 1', []);
  t.same(
    reports.filter(([statement]) => statement === 'select 1').length,
    reports.length,
    'opening the first connection may be slow',
  );
  reports.length = 0;
  await preparedText(pool, 'select  pg_sleep($1::double precision),\n $2::text', [0.1, 'a secret']);
  await failureOf(preparedRaw(pool, 'select pg_sleep($1::double precision), 1 / 0', [0.1]));
  await preparedText(pool, 'select 2', []);
  t.equal(reports[0]![0], 'select pg_sleep($1::double precision), $2::text');
  t.ok(reports[0]![1] >= 100);
  t.ok(reports.length <= 2, 'a statement that fails before it waits is not reported');
});

t.test(
  'a statement gets only its own rows after a statement that failed or lost its connection',
  async (t) => {
    const { url, sql } = await testDatabase(t);
    const pool = connectDatabase(url, { max: 1, name: 'holes' });
    t.teardown(() => pool.end({ timeout: 1 }));
    const fails = 'select n, 1 / ($1::integer - n) from generate_series(1, $2::integer) as n';
    const failure = () => failureOf(preparedText(pool, fails, [3, 5]));
    const two = 'select n from generate_series(1, $1::integer) as n';
    t.equal((await failure())?.code, '22012');
    t.same([...(await preparedText(pool, two, [2]))], [{ n: 1 }, { n: 2 }]);
    await failure();
    const raw = await preparedRaw(pool, two, [2]);
    t.same(
      raw.map((row) => row[0]!.toString()),
      ['1', '2'],
    );
    await failure();
    t.same([...(await pool`select n from generate_series(1, 2) as n`)], [{ n: 1 }, { n: 2 }]);
    await failure();
    t.same([...(await preparedText(pool, two, [0]))], []);
    await failure();
    t.same(
      (await pool.unsafe('select 7 as n; select 8 as n').simple()).map((rows) => [...rows]),
      [[{ n: 7 }], [{ n: 8 }]],
    );
    // The statement has sent 100,000 bytes of rows when it begins to sleep.
    const waits =
      "select repeat('x', 1000), case when n = 100 then pg_sleep(30) end from generate_series(1, 100) as n";
    const lost = failureOf(preparedText(pool, waits, []));
    await killAsleep(sql, 'holes');
    t.match((await lost)?.code, /^(?:57P01|CONNECTION_CLOSED)$/);
    // postgres.js may give the server's last error about the old connection to the new connection's first
    // statement.
    await failureOf(preparedText(pool, two, [2]));
    t.same([...(await preparedText(pool, two, [2]))], [{ n: 1 }, { n: 2 }]);
  },
);

t.test(
  "statements of a lost connection do not contain each other's values, and each is reported once",
  async (t) => {
    const { url, sql } = await testDatabase(t);
    const reports: string[] = [];
    const report = (statement: string): void => void reports.push(statement);
    const pool = connectDatabase(url, { max: 1, name: 'shared', slow: { longerThan: 0, report } });
    t.teardown(() => pool.end({ timeout: 1 }));
    await preparedText(pool, 'select 1', []);
    reports.length = 0;
    const first = failureOf(
      preparedText(pool, 'select pg_sleep($1::double precision), $2::text', [30, 'a secret']),
    );
    const second = failureOf(preparedText(pool, 'select $1::text as behind', ['another']));
    const third = failureOf(preparedText(pool, 'select $1::text as also', ['a third']));
    await killAsleep(sql, 'shared');
    for (const failure of await Promise.all([first, second, third])) {
      t.ok(failure instanceof Error);
      t.match(failure?.code, /^(?:57P01|CONNECTION_CLOSED)$/);
      t.notMatch(inspect(failure, { showHidden: true }), /secret|another|third/);
    }
    await failureOf(preparedText(pool, 'select 2', []));
    await preparedText(pool, 'select 3', []);
    t.equal(reports.filter((statement) => statement.startsWith('select pg_sleep')).length, 1);
    t.equal(reports.length, 5);
  },
);
