import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import { sweepRevokedKeys } from '../../src/store/accounts/api-keys.js';
import { testDatabase } from '../support/database/database.js';

t.test('removes keys that were revoked more than 90 days ago, and no others', async (t) => {
  const { sql } = await testDatabase(t);
  const { uid } = await createUser(sql);
  const ages = { live: null, new: '1 hour', old: '89 days', older: '91 days', oldest: '2 years' };
  for (const [name, age] of Object.entries(ages)) {
    await sql`
      insert into api_keys (id, uid, family, name, hashed_key, key_prefix, revoked_at)
      values (${randomUUID()}, ${uid}, 'dev', ${name}, ${name}, 'svc_dev_', now() - ${age}::text::interval)`;
  }
  const names = async () => (await sql`select name from api_keys order by name`).map(({ name }) => name);
  await sweepRevokedKeys(sql, 1);
  t.same(
    await names(),
    ['live', 'new', 'old', 'older'],
    'removes the oldest key first, and only as many as requested',
  );
  await sweepRevokedKeys(sql);
  t.same(await names(), ['live', 'new', 'old']);
});
