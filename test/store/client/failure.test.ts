/** Tests the treatment of each error code, with codes from a table and with statements that fail in the database. */
import { inspect } from 'node:util';
import t from 'tap';
import { errorFields } from '../../../src/errors/error-fields.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import {
  codeOf,
  failureClass,
  failureClasses,
  isDatabaseAway,
  isDuplicate,
  isTimeout,
  type Treatment,
  treatmentOf,
} from '../../../src/store/client/failure.js';
import { retrying } from '../../../src/store/client/retry.js';
import { testDatabase } from '../../support/database/database.js';

const withCode = (code: unknown): Error => Object.assign(new Error('no'), { code });

t.test('every class of SQLSTATE has a treatment', (t) => {
  const expected: readonly (readonly [string, Treatment, boolean])[] = [
    ['40P01', 'retry', false],
    ['40001', 'retry', false],
    ['40003', 'retry', false],
    ['55P03', 'retry', true],
    ['08000', 'spill', true],
    ['08006', 'spill', true],
    ['57P01', 'spill', true],
    ['57P02', 'spill', true],
    ['57P03', 'spill', true],
    ['57014', 'spill', true],
    ['53300', 'spill', true],
    ['53200', 'spill', true],
    ['53100', 'spill', true],
    ['58030', 'spill', true],
    ['25006', 'spill', true],
    ['25P03', 'spill', true],
    ['28P01', 'spill', true],
    ['3D000', 'spill', true],
    ['ECONNREFUSED', 'spill', true],
    ['EPIPE', 'spill', true],
    ['EHOSTUNREACH', 'spill', true],
    ['CONNECTION_CLOSED', 'spill', true],
    ['CONNECT_TIMEOUT', 'spill', true],
    ['NO_ANSWER', 'spill', true],
    ['22P02', 'reject', false],
    ['22P05', 'reject', false],
    ['22021', 'reject', false],
    ['22003', 'reject', false],
    ['22008', 'reject', false],
    ['23502', 'reject', false],
    ['23514', 'reject', false],
    ['21000', 'reject', false],
    ['44000', 'reject', false],
    ['54000', 'reject', false],
    ['MAX_PARAMETERS_EXCEEDED', 'reject', false],
    ['UNDEFINED_VALUE', 'reject', false],
    // These codes are not in the table of classes. They prove nothing about the entry or the server, so the entry is
    // spilled.
    ['42P01', 'spill', false],
    ['42703', 'spill', false],
    ['55006', 'spill', false],
    ['XX000', 'spill', false],
    ['P0001', 'spill', false],
    ['25001', 'spill', false],
    ['ERR_SOMETHING', 'spill', false],
    ['', 'spill', false],
  ];
  for (const [code, treatment, away] of expected) {
    t.equal(treatmentOf(withCode(code)), treatment, code);
    t.equal(isDatabaseAway(withCode(code)), away, `${code}: whether the database is unavailable`);
  }
  for (const { code } of failureClasses) {
    t.ok(
      expected.some(([one]) => one === code || (code.length === 2 && one.startsWith(code))) ||
        code.length > 5,
      `${code} is tested above`,
    );
    t.equal(failureClass(withCode(code.length === 2 ? `${code}999` : code)).code, code);
  }
  for (const odd of [null, undefined, 'text', new Error('no code'), withCode(42), withCode('22')])
    t.equal(treatmentOf(odd), odd instanceof Error && codeOf(odd) === '22' ? 'reject' : 'spill');
  t.ok(isTimeout(withCode('57014')));
  t.notOk(isTimeout(withCode('57P01')));
  t.end();
});

t.test('retries', async (t) => {
  await t.test('a deadlock is tried again and may succeed', async (t) => {
    let attempts = 0;
    let told = 0;
    const outcome = await retrying(
      async () => {
        if (++attempts < 4) throw withCode('40P01');
        return 'stored';
      },
      () => told++,
    );
    t.strictSame([outcome, attempts, told], ['stored', 4, 3]);
  });
  await t.test('stops after five attempts, and nested retries do not multiply them', async (t) => {
    let attempts = 0;
    const work = () => {
      attempts++;
      return Promise.reject(withCode('40001'));
    };
    await t.rejects(
      retrying(() => retrying(work)),
      { code: '40001' },
    );
    t.equal(attempts, 5);
  });
  await t.test('other errors are not tried again', async (t) => {
    for (const code of ['22P02', '08006', 'XX000']) {
      let attempts = 0;
      await t.rejects(
        retrying(() => {
          attempts++;
          return Promise.reject(withCode(code));
        }),
      );
      t.equal(attempts, 1, code);
    }
  });
});

t.test('errors of failed statements', async (t) => {
  const { url, sql } = await testDatabase(t);
  const secret = 'what-the-user-said';
  const failures: Record<string, [string, Treatment, (sql: Sql) => Promise<unknown>]> = {
    'text that is not a number': ['22P02', 'reject', async (sql) => sql`select ${secret}::text::integer`],
    'a NUL': ['22021', 'reject', async (sql) => sql`select ${`${secret}\0`}::text`],
    'a broken JSON': ['22P02', 'reject', async (sql) => sql`select ${secret}::text::jsonb`],
    'the same key twice': [
      '23505',
      'reject',
      async (sql) => sql`insert into users (uid) values (${secret}), (${secret})`,
    ],
    'an index row too large': [
      '54000',
      'reject',
      async (sql) =>
        sql`insert into users (uid) select ${secret} || string_agg(md5(n::text), '') from generate_series(1, 400) n`,
    ],
    'an invalid status': [
      '23514',
      'reject',
      async (sql) => sql`
        insert into conversations (id, uid, status, source, created_at, last_speech_at)
        values (gen_random_uuid(), ${secret}, ${secret}, 'svc', now(), now())`,
    ],
    'in a transaction': [
      '22P02',
      'reject',
      (sql) => sql.begin(async (transaction) => transaction`select ${secret}::text::integer`),
    ],
    'as text': ['22P02', 'reject', async (sql) => sql.unsafe(`select '${secret}'::text::integer`)],
    'an exception of a function': [
      'P0001',
      'spill',
      async (sql) => sql.unsafe(`do $$ begin raise exception '${secret}'; end $$`),
    ],
    'a table that is missing': ['42P01', 'spill', async (sql) => sql`select ${secret} from no_such_table`],
  };
  for (const [name, [code, treatment, work]] of Object.entries(failures)) {
    const thrown = await work(sql).then(
      () => undefined,
      (error: unknown) => error,
    );
    t.match(thrown, { name: 'StatementError', code }, name);
    t.equal(treatmentOf(thrown), treatment, name);
    const everything = `${inspect(thrown, { showHidden: true, depth: 5 })} ${JSON.stringify(thrown)} ${
      (thrown as Error).stack
    } ${JSON.stringify(errorFields(thrown))}`;
    t.notMatch(everything, secret, `${name}: the error contains no value`);
  }
  await t.rejects(sql`insert into users (uid) values ('one'), ('one')`, { message: /on users_pkey/ });
  t.ok(isDuplicate(await sql`insert into users (uid) values ('one'), ('one')`.catch((error) => error)));

  await t.test('the server ends statements after their time limit', async (t) => {
    const brief = connectDatabase(url, { max: 1, statementTimeoutMs: 100 });
    t.teardown(() => brief.end({ timeout: 1 }));
    const thrown = await brief`select pg_sleep(10)`.catch((error: unknown) => error);
    t.match(thrown, { code: '57014' });
    const [row] = await sql`select 1 as one`;
    t.equal(row?.one, 1);
    const [limits] = await connectDatabaseSettings(url);
    t.match(limits, { statement: '30s', lock: '10s', idle: '1min' }, 'default time limits');
  });

  await t.test('two transactions in a deadlock both succeed', async (t) => {
    await sql`insert into users (uid) values ('left'), ('right')`;
    let repeats = 0;
    const pool = connectDatabase(url, { max: 2, onRepeat: () => repeats++ });
    t.teardown(() => pool.end({ timeout: 1 }));
    let holding = 0;
    let bothHold = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      bothHold = resolve;
    });
    const rename = (first: string, second: string) =>
      pool.begin(async (transaction) => {
        await transaction`update users set name = ${first} where uid = ${first}`;
        // Each transaction locks its first row before one of them requests the row of the other, so they deadlock. The
        // retry finds both rows free.
        if (++holding === 2) bothHold();
        await held;
        await transaction`update users set name = ${first} where uid = ${second}`;
      });
    await Promise.all([rename('left', 'right'), rename('right', 'left')]);
    t.ok(repeats >= 1, `${repeats} retries`);
    const names = await sql`select distinct name from users where uid in ('left', 'right')`;
    t.equal(names.length, 1, 'the transactions ran one after the other');
  });
});

const connectDatabaseSettings = async (url: string) => {
  const sql = connectDatabase(url, { max: 1 });
  try {
    return await sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`;
  } finally {
    await sql.end({ timeout: 1 });
  }
};
