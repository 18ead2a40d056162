/** Tests the limits of a user's keys and of requests that create keys. */
import t from 'tap';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { startApi } from '../support.js';

const keys = '/v1/dev/keys';

t.test('limits of developer keys', async (t) => {
  const api = await startApi(t, {
    RATE_LIMIT_BOOST: '1',
    MAX_KEYS_PER_USER: '5',
    MAX_KEY_REQUESTS_PER_ADDRESS: '10',
  });
  const create = (credential: string) => api.call(keys, { credential, body: { name: 'x' } });

  t.test("limits a user's keys, also for simultaneous requests", async (t) => {
    const { uid, token } = await api.person();
    const made = await Promise.all(Array.from({ length: 8 }, () => create(token)));
    const statuses = made.map(({ status }) => status).sort();
    t.same(statuses, [200, 200, 200, 200, 409, 409, 409, 409], 'the user had one key already');
    t.match(made.find(({ status }) => status === 409)!.body, { detail: 'A user may have at most 5 keys' });
    const [row] = await api.sql`select count(*)::int as live from api_keys where uid = ${uid}`;
    t.equal(row!.live, 5);
    const { id } = made.find(({ status }) => status === 200)!.body;
    await api.call(`${keys}/${id}`, { method: 'DELETE', credential: token });
    t.equal((await create(token)).status, 200, 'a revoked key does not count');
    await t.rejects(createApiKey(api.sql, api.settings, { uid, name: 'x' }), { code: 'keys_full' });
    await t.rejects(createApiKey(api.sql, api.settings, { uid: 'nobody', name: 'x' }), {
      code: 'bad_request',
    });
  });

  t.test('limits the keys that a user creates in an hour', async (t) => {
    const { token } = await api.person();
    const statuses: number[] = [];
    for (let count = 0; count < 61; count++) statuses.push((await create(token)).status);
    t.equal(statuses.indexOf(429), 60);
    const { status, headers, body } = await create(token);
    t.equal(status, 429);
    t.ok(Number(headers.get('retry-after')) > 0);
    t.match(body, { detail: /dev:keys_create/ });
    t.equal((await api.call(keys, { credential: token })).status, 200, 'keys can still be listed');
  });

  t.test('limits the requests of an address for any credential', async (t) => {
    const { token } = await api.person();
    const ask = (address: string, credential: string) =>
      api.call(keys, { credential, headers: { 'x-forwarded-for': address } });
    for (let count = 0; count < 10; count++) t.equal((await ask('203.0.113.1', 'guess')).status, 401);
    t.match(await ask('203.0.113.1', token), { status: 429, body: { detail: /dev:keys_address/ } });
    t.equal((await ask('203.0.113.2', token)).status, 200);
    for (let count = 0; count < 10; count++) t.equal((await ask(`2001:db8::${count}`, token)).status, 200);
    t.equal((await ask('2001:db8::ffff', token)).status, 429, 'a /64 network counts as one address');
  });
});
