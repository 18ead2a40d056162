/** Slots that taken connections leave in a pool of the client library are released, see `keepPlacesFew`. */
import t from 'tap';
import { connectDatabase } from '../../../src/store/client/database.js';
import { keepPlacesFew, statementsBetween } from '../../../src/store/client/pool-places.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

t.test('every connection that waits is taken once in so many statements', async (t) => {
  const { url, sql } = await testDatabase(t);
  const pool = connectDatabase(url, { max: 3, name: 'places' });
  t.teardown(() => pool.end({ timeout: 1 }));
  await Promise.all([1, 2, 3].map(() => pool`select pg_sleep(0.05)`));
  const emptied = async (): Promise<number> => {
    const found = await sql`select from pg_stat_activity
      where application_name = 'cochlea places' and query = 'select' and state = 'idle'`;
    return found.length;
  };
  for (let count = 4; count < statementsBetween; count++) await pool`select 1`;
  t.equal(await emptied(), 0);
  await pool.begin(async (transaction) => {
    await transaction`select 2`;
  });
  // The transaction used one of them afterwards.
  await until(async () => (await emptied()) >= 2, 'the other connections were taken');
});

t.test('what is sent for it', (t) => {
  const sentBy = (max: number, statements: number): number => {
    let sent = 0;
    const unsafe = () => {
      sent++;
      return Promise.reject(new Error('the database is away'));
    };
    const counted = keepPlacesFew({ unsafe } as never, max);
    for (let count = 0; count < statements; count++) counted();
    return sent;
  };
  t.equal(sentBy(4, statementsBetween - 1), 0);
  t.equal(
    sentBy(4, statementsBetween),
    4,
    'as many as there are connections; one that fails is no error of the caller',
  );
  t.equal(sentBy(4, 10 * statementsBetween), 40);
  t.equal(sentBy(1, 10 * statementsBetween), 0, 'one connection leaves no places');
  t.end();
});
