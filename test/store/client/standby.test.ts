/** Tests commits whose wait for a synchronous standby is cancelled. The server waits for a standby that does not exist. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { preparedRaw, preparedText } from '../../../src/store/client/constant-text.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { isDatabaseAway, treatmentOf } from '../../../src/store/client/failure.js';
import { openStandbyServer } from '../../support/database/standby.js';

const unconfirmed = { name: 'StatementError', code: 'STANDBY_WAIT_CANCELLED' };

t.test('a commit that no standby has confirmed', async (t) => {
  const { url, awaitStandby, cancelWaits, untilWaiting } = await openStandbyServer(t);
  const sql = connectDatabase(url, { max: 2, name: 'product' });
  t.teardown(() => sql.end({ timeout: 1 }));
  await sql`create table notes (id uuid primary key)`;
  const insert = 'insert into notes (id) values ($1) returning 1';
  const ways: readonly {
    readonly name: string;
    readonly write: (id: string, pool: Sql) => Promise<unknown>;
  }[] = [
    { name: 'a statement', write: (id, pool) => pool`insert into notes (id) values (${id})` },
    { name: 'a text', write: (id, pool) => pool.unsafe('insert into notes (id) values ($1)', [id]) },
    { name: 'a direct statement', write: (id, pool) => preparedText(pool, insert, [id]) },
    { name: 'a direct statement with raw rows', write: (id, pool) => preparedRaw(pool, insert, [id]) },
    {
      name: 'a transaction',
      write: (id, pool) =>
        pool.begin(async (transaction) => {
          await transaction`insert into notes (id) values (${id})`;
          await transaction`select 1`;
        }),
    },
  ];
  for (const { name, write } of ways) {
    await t.test(`${name} fails`, async (t) => {
      const id = randomUUID();
      await awaitStandby(true);
      const written = t.rejects(write(id, sql), unconfirmed);
      await untilWaiting('cochlea product');
      await cancelWaits();
      await written;
      await awaitStandby(false);
      t.equal((await sql`select from notes where id = ${id}`).length, 1, 'it is stored on the primary only');
      t.ok(
        await sql`insert into notes (id) values (${id}) on conflict do nothing`,
        'later statements succeed',
      );
    });
  }

  await t.test('is treated like an unavailable database', (t) => {
    t.equal(treatmentOf(unconfirmed), 'spill');
    t.ok(isDatabaseAway(unconfirmed));
    t.end();
  });

  await t.test('fails also if the role suppresses warnings', async (t) => {
    await sql.unsafe('alter role current_user set client_min_messages = error');
    const other = connectDatabase(url, { max: 1, name: 'quiet' });
    t.teardown(() => other.end({ timeout: 1 }));
    await other`select 1`;
    await awaitStandby(true);
    const written = t.rejects(other`insert into notes (id) values (${randomUUID()})`, unconfirmed);
    await untilWaiting('cochlea quiet');
    await cancelWaits();
    await written;
    await awaitStandby(false);
  });
});
