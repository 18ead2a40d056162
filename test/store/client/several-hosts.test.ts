/** If an address has several hosts, the client uses the server that answers. A statement fails if none answers. */
import t from 'tap';
import { connectDatabase } from '../../../src/store/client/database.js';
import { PrimaryHost } from '../../../src/store/hosts/primary-host.js';
import { testDatabaseUrl } from '../../support/database/database.js';

t.test('several hosts in one address', async (t) => {
  const url = await testDatabaseUrl(t);
  const { host } = new URL(url);
  const nowhere = ['127.0.0.1:1', '127.0.0.1:2'];

  const cases: readonly [hosts: readonly string[], options: string][] = [
    [[nowhere[0]!, host], ''],
    [[host, nowhere[0]!], ''],
    [[...nowhere, host], '?target_session_attrs=read-write'],
  ];
  for (const [hosts, options] of cases) {
    const place = hosts.map((one) => (one === host ? 'the server' : 'nothing')).join(', ');
    await t.test(place, async (t) => {
      const sql = connectDatabase(`${url.replace(host, hosts.join(','))}${options}`, { max: 2 });
      t.teardown(() => sql.end({ timeout: 1 }));
      t.same([...(await sql`select 1 as number`)], [{ number: 1 }]);
      // The connection ends, and the next statement opens a new connection.
      await sql`select pg_terminate_backend(pg_backend_pid())`.catch(() => undefined);
      t.same([...(await sql`select 2 as number`)], [{ number: 2 }]);
    });
  }

  await t.test('a statement fails while no host accepts connections', async (t) => {
    const sql = connectDatabase(url.replace(host, nowhere.join(',')), { max: 1 });
    t.teardown(() => sql.end({ timeout: 0 }));
    await t.rejects(sql`select 1`, { code: 'ECONNREFUSED' });
    await t.rejects(sql`select 1`, { code: 'ECONNREFUSED' }, 'each statement');
  });

  await t.test('one host needs no search', async (t) => {
    t.equal(PrimaryHost.of(url), undefined);
    t.equal(await PrimaryHost.of(url.replace(host, `${nowhere[0]},${host}`))!.url(), url);
  });
});
