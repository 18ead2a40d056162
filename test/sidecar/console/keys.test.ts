/**
 * Tests API keys at the console: the list and the limits that REST shares, the effect of scopes, and that only one
 * answer contains a secret.
 */
import t from 'tap';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { createLogger } from '../../../src/log/logger.js';
import { consoleHeaders, consoleSession, startApi } from '../support.js';

interface Made {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly string[];
}

t.test('keys at the console', async (t) => {
  let logged = '';
  const log = createLogger('test', 'debug', {
    write: (line) => {
      logged += line;
    },
  });
  const api = await startApi(t, { RATE_LIMIT_BOOST: '1', MAX_KEYS_PER_USER: '100' }, log);
  const ann = await api.person();
  const bob = await api.person();
  const [cookie, foreign] = [await consoleSession(api.sql, ann.uid), await consoleSession(api.sql, bob.uid)];
  const ask = (
    path: string,
    { method = 'GET', body, as = cookie }: { method?: string; body?: object; as?: string } = {},
  ) => api.call(`/console/api/keys/${path}`, { method, body, headers: consoleHeaders(api, as) });
  const make = async (family: string, body: object): Promise<Made> =>
    (await ask(family, { method: 'POST', body })).body as Made;

  await t.test('what is made here is listed by REST, and the other way round', async (t) => {
    for (const [family, rest, scope] of [
      ['developer', '/v1/dev/keys', 'memories:write'],
      ['mcp', '/v1/mcp/keys', 'memories.read'],
    ] as const) {
      const here = await make(family, { name: 'here', scopes: [scope] });
      t.same(here.scopes, [scope]);
      const there = await api.call(rest, { credential: ann.token, body: { name: 'there' } });
      const ids = [there.body.id, here.id];
      const lists = [(await ask(family)).body, (await api.call(rest, { credential: ann.token })).body];
      t.same(lists[0], lists[1]);
      t.same(
        lists[0].map(({ id }: Made) => id).filter((id: string) => ids.includes(id)),
        ids,
        'the newest first',
      );
      t.notOk(JSON.stringify(lists).includes(here.key), 'a list has no secret');
    }
  });

  await t.test('a key works until it is revoked here; a stranger revokes nothing', async (t) => {
    const { id, key } = await make('developer', { name: 'x', scopes: ['memories:read'] });
    const use = () => api.call('/v1/dev/user/memories', { credential: key });
    t.equal((await use()).status, 200);
    t.equal((await ask(`developer/${id}`, { method: 'DELETE', as: foreign })).status, 204);
    t.equal((await ask(`mcp/${id}`, { method: 'DELETE' })).status, 204, 'a key of the other kind');
    t.equal((await use()).status, 200);
    t.equal((await ask(`developer/${id}`, { method: 'DELETE' })).status, 204);
    t.equal((await use()).status, 401);
    t.equal((await ask(`developer/${id}`, { method: 'DELETE' })).status, 204, 'once more');
    for (const odd of ['..', '%00', 'x'.repeat(2000), "'%20or%20true--"])
      t.ok(
        [204, 404].includes((await ask(`developer/${odd}`, { method: 'DELETE' })).status),
        odd.slice(0, 20),
      );
  });

  await t.test('names and scopes follow the rules of REST', async (t) => {
    const bodies: readonly object[] = [
      { name: ' ' },
      { name: 'n'.repeat(201) },
      { name: `my svc_dev_${'0'.repeat(32)}` },
      { name: 'x', scopes: ['memories.read'] },
      { name: 'x', scopes: ['__proto__'] },
      { name: 'x', scopes: 'all' },
      {},
    ];
    for (const body of bodies) {
      const here = await ask('developer', { method: 'POST', body });
      const there = await api.call('/v1/dev/keys', { credential: bob.token, body });
      t.ok(here.status >= 400, JSON.stringify(body).slice(0, 60));
      t.equal(here.status, there.status);
      t.same(here.body.detail, there.body.detail);
    }
    t.same(
      (await make('developer', { name: 'x', scopes: [] })).scopes,
      [],
      'without a scope it opens nothing',
    );
  });

  await t.test('each scope has a sentence, and says whether keys have it without a request', async (t) => {
    const { body } = await ask('scopes');
    for (const family of ['developer', 'mcp'] as const) {
      const made = await make(family, { name: 'usual' });
      const usual = body[family].filter((one: { usual: boolean }) => one.usual);
      t.same(usual.map(({ scope }: { scope: string }) => scope).sort(), [...made.scopes].sort());
      for (const { scope, sentence } of body[family]) t.match(sentence, /^[A-Z].+ .+/, scope);
    }
    t.match(body.developer, [{ scope: 'conversations:read', sentence: /^Read what was said/ }]);
  });

  await t.test('a secret stands in one answer, which nothing stores, and in no log and no row', async (t) => {
    const made = await ask('developer', { method: 'POST', body: { name: 'secret' } });
    t.equal(made.headers.get('cache-control'), 'no-store');
    const { key } = made.body as Made;
    const rows = JSON.stringify(await api.sql`select * from api_keys where uid = ${ann.uid}`);
    const digits = key.slice(-32);
    t.match(digits, /^[0-9a-f]{32}$/);
    t.notOk(rows.includes(digits));
    t.equal(
      (await ask('developer', { method: 'POST', body: { name: key } })).status,
      422,
      'a name is no key',
    );
    t.match(logged, /Server listening/);
    t.notOk(logged.includes(digits));
  });

  await t.test('REST and the console share the limits on new keys', async (t) => {
    const { uid, token } = await api.person();
    const as = await consoleSession(api.sql, uid);
    const here = () => ask('developer', { method: 'POST', body: { name: 'x' }, as });
    const there = () => api.call('/v1/dev/keys', { credential: token, body: { name: 'x' } });
    for (let count = 0; count < 30; count++) {
      t.equal((await here()).status, 200);
      t.equal((await there()).status, 200);
    }
    t.match(await there(), { status: 429, body: { detail: /dev:keys_create/ } });
    t.match(await here(), { status: 429, body: { detail: /dev:keys_create/ } });
    t.equal((await ask('developer', { as })).status, 200, 'keys can still be listed');
    t.equal((await ask('mcp', { method: 'POST', body: { name: 'x' }, as })).status, 200);
    const full = await api.person();
    for (let count = 1; count < 100; count++)
      await createApiKey(api.sql, api.settings, { uid: full.uid, name: 'x' });
    const refused = await ask('developer', {
      method: 'POST',
      body: { name: 'x' },
      as: await consoleSession(api.sql, full.uid),
    });
    t.match(refused, { status: 409, body: { detail: 'A user may have at most 100 keys' } });
  });
});
