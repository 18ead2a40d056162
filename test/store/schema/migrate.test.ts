import t from 'tap';
import { connectDatabase, databasePlace } from '../../../src/store/client/database.js';
import { migrate, migrationNames } from '../../../src/store/schema/migrate.js';
import { testDatabase } from '../../support/database/database.js';

t.test('migrations', async (t) => {
  const { url, sql } = await testDatabase(t);

  await t.test('programs that start together migrate once', async (t) => {
    const fresh = new URL(url);
    fresh.pathname = '/together';
    await sql`create database together`;
    await Promise.all([migrate(fresh.href), migrate(fresh.href), migrate(fresh.href)]);
    const other = connectDatabase(fresh.href, { max: 1 });
    const applied = await other`select name from schema_migrations order by id`;
    t.strictSame(
      applied.map(({ name }) => name),
      migrationNames,
    );
    t.equal((await other`select count(*)::integer as rows from conversations`)[0]?.rows, 0);
    await other.end();
  });

  await t.test('a second run changes nothing', async (t) => {
    const before = await sql`select * from schema_migrations`;
    await migrate(url);
    t.strictSame([...(await sql`select * from schema_migrations`)], [...before]);
  });

  await t.test('an address may have several hosts, of which some do not answer', async (t) => {
    const { host } = new URL(url);
    const several = url
      .replace(host, `127.0.0.1:1,${host}`)
      .replace(/\/[^/]*$/, '/several?target_session_attrs=primary');
    await sql`create database several`;
    await migrate(several);
    const other = connectDatabase(several, { max: 1 });
    t.equal(
      (await other`select count(*)::integer as count from schema_migrations`)[0]?.count,
      migrationNames.length,
    );
    await other.end();
  });

  await t.test('refuses a newer schema', async (t) => {
    await sql`insert into schema_migrations (name, run_on) values ('9999_future', now())`;
    await t.rejects(migrate(url), { code: 'database_schema_newer' });
  });

  await t.test('the error for an unreachable database names it without its password', async (t) => {
    const nowhere = new URL(url);
    nowhere.port = '1';
    await t.rejects(migrate(nowhere.href), {
      code: 'database_unreachable',
      details: { where: databasePlace(nowhere.href) },
    });
    t.notMatch(databasePlace(nowhere.href), nowhere.password);
    t.equal(databasePlace('postgres://u:p@db.local/x'), 'db.local:5432/x');
    t.equal(databasePlace('nonsense'), 'DATABASE_URL');
  });
});
