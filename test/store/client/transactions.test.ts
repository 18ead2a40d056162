import t from 'tap';
import { connectDatabase, type TransactionSql } from '../../../src/store/client/database.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

t.test('a transaction that loses its connection fails and stores nothing', async (t) => {
  const { url, sql } = await testDatabase(t);
  await sql`create table numbers (number integer)`;
  const pool = connectDatabase(url, { max: 1 });
  t.teardown(() => pool.end({ timeout: 1 }));
  const kill = async (transaction: TransactionSql) => {
    const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await sql`select pg_terminate_backend(${row!.pid})`;
  };

  /** Ways to lose the connection. `lost` resolves when the pool has reported the loss. */
  const losses: Record<string, (transaction: TransactionSql, lost: Promise<unknown>) => Promise<unknown>> = {
    'during a statement': async (transaction) => {
      const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const slow = transaction`select pg_sleep(10)`.execute();
      const sleeping = async (): Promise<boolean> => {
        const found =
          await sql`select 1 from pg_stat_activity where pid = ${row!.pid} and wait_event = 'PgSleep'`;
        return found.length > 0;
      };
      const terminate = async () => {
        await until(sleeping, 'the statement runs');
        await sql`select pg_terminate_backend(${row!.pid})`;
      };
      await Promise.all([slow, terminate()]);
    },
    'between statements': async (transaction, lost) => {
      await kill(transaction);
      await lost;
      await transaction`insert into numbers values (2)`;
    },
    'before its own error': async (transaction, lost) => {
      await kill(transaction);
      await lost;
      throw new Error('own');
    },
    'before its commit': async (transaction, lost) => {
      await kill(transaction);
      await lost;
    },
    'directly before the next statement': async (transaction) => {
      await kill(transaction);
      await transaction`insert into numbers values (2)`;
    },
  };
  for (const [name, work] of Object.entries(losses)) {
    for (let round = 0; round < 3; round++) {
      let tellLost = (): void => undefined;
      const lost = new Promise<void>((resolve) => {
        tellLost = resolve;
      });
      const outcome = pool.begin(async (transaction) => {
        await transaction`insert into numbers values (1)`;
        await work(transaction, lost);
      });
      outcome.catch(tellLost);
      // This statement waits for the same connection. It must not run inside the transaction,
      // and the transaction's statements must not run outside.
      const after = pool`insert into numbers values (0)`;
      await t.rejects(outcome, name);
      await after.catch(() => pool`insert into numbers values (0)`);
    }
  }
  // The pool has one connection, so every statement of the transactions has ended when this statement answers.
  await pool`select 1`;
  const rows = await sql`select number, count(*)::integer as count from numbers group by number`;
  t.strictSame(
    [...rows],
    [{ number: 0, count: Object.keys(losses).length * 3 }],
    'the transactions stored nothing',
  );

  await t.test('other transactions still work', async (t) => {
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
