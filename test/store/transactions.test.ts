import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { connectDatabase, type TransactionSql } from '../../src/store/database.js';
import { testDatabase } from '../support/database.js';

t.test('a transaction whose connection goes away', async (t) => {
  const { url, sql } = await testDatabase(t);
  await sql`create table numbers (number integer)`;
  const pool = connectDatabase(url, { max: 1 });
  t.teardown(() => pool.end({ timeout: 1 }));
  const kill = async (transaction: TransactionSql) => {
    const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await sql`select pg_terminate_backend(${row!.pid})`;
  };

  const losses: Record<string, (transaction: TransactionSql) => Promise<unknown>> = {
    'during a statement': async (transaction) => {
      const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const slow = transaction`select pg_sleep(10)`.execute();
      await Promise.all([slow, pause(20).then(() => sql`select pg_terminate_backend(${row!.pid})`)]);
    },
    'between statements': async (transaction) => {
      await kill(transaction);
      await pause(100);
      await transaction`insert into numbers values (2)`;
    },
    'before an error of its own': async (transaction) => {
      await kill(transaction);
      await pause(100);
      throw new Error('own');
    },
    'at once before the next statement': async (transaction) => {
      await kill(transaction);
      await transaction`insert into numbers values (2)`;
    },
  };
  for (const [name, work] of Object.entries(losses)) {
    for (let round = 0; round < 3; round++) {
      const outcome = pool.begin(async (transaction) => {
        await transaction`insert into numbers values (1)`;
        await work(transaction);
      });
      // Waiting for the connection: these must not land inside what is left of the transaction, nor the reverse.
      const after = pool`insert into numbers values (0)`;
      await t.rejects(outcome, name);
      await after.catch(() => pool`insert into numbers values (0)`);
    }
  }
  await pause(100);
  const rows = await sql`select number, count(*)::integer as count from numbers group by number`;
  t.strictSame(
    [...rows],
    [{ number: 0, count: Object.keys(losses).length * 3 }],
    'nothing of them was written',
  );

  await t.test('others work as ever', async (t) => {
    await t.rejects(
      pool.begin(async (transaction) => {
        await transaction`insert into numbers values (3)`;
        throw new Error('own');
      }),
      /own/,
    );
    const counted = await pool.begin('read only', async (transaction) => {
      const [row] = await transaction<
        { count: number }[]
      >`select count(*)::integer from numbers where number = 3`;
      return row?.count;
    });
    t.equal(counted, 0);
    await t.rejects(pool.begin((transaction) => [transaction`select 1`, transaction`select nonsense`]));
  });
});
