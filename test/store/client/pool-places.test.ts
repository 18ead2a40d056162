/** Tests `keepPlacesFew`, which empties postgres.js's array of waiting connections from time to time. */
import t from 'tap';
import { connectDatabase } from '../../../src/store/client/database.js';
import { keepPlacesFew, statementsBetween } from '../../../src/store/client/pool-places.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

t.test('takes every waiting connection once per `statementsBetween` statements', async (t) => {
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
  // The transaction has used one of the three connections since then, so only two still show the empty statement.
  await until(async () => (await emptied()) >= 2, 'the other connections were taken');
});

t.test('sends one empty statement per connection', (t) => {
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
    'one for each connection, and the caller gets no error of a failed one',
  );
  t.equal(sentBy(4, 10 * statementsBetween), 40);
  t.equal(sentBy(1, 10 * statementsBetween), 0, 'none for a pool with one connection');
  t.end();
});
