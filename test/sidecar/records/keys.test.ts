import { createHash } from 'node:crypto';
import t from 'tap';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { scopesOf } from '../../../src/identity/scopes.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { conversations, startApi } from '../support.js';

t.test('developer keys and MCP keys', async (t) => {
  const api = await startApi(t);
  const { token, uid } = await api.person();
  const stranger = await api.person();
  const create = (body: unknown, credential = token) => api.call('/v1/dev/keys', { credential, body });
  const list = async (credential = token) => (await api.call('/v1/dev/keys', { credential })).body;

  t.test('a new key works, is shown once, and is stored only as a hash', async (t) => {
    const { status, body } = await create({ name: '  phone  ' });
    t.equal(status, 200);
    t.match(body.key, /^svc_dev_[0-9a-f]{32}$/);
    const secret = body.key.slice('svc_dev_'.length);
    t.match(body, {
      name: 'phone',
      key_prefix: `svc_dev_${secret.slice(0, 4)}...${secret.slice(-4)}`,
      scopes: ['conversations:read', 'memories:read', 'action_items:read', 'goals:read'],
      last_used_at: null,
    });
    const [row] =
      await api.sql`select hashed_key, to_jsonb(api_keys)::text as whole from api_keys where id = ${body.id}`;
    t.equal(row!.hashed_key, createHash('sha256').update(secret).digest('hex'));
    t.notOk(row!.whole.includes(secret), 'the row does not contain the secret');
    const listed = (await list()).find((key: { id: string }) => key.id === body.id);
    t.same(Object.keys(listed).sort(), ['created_at', 'id', 'key_prefix', 'last_used_at', 'name', 'scopes']);
    t.equal((await api.call(conversations, { credential: body.key })).status, 200);
    const own = await api.call('/v1/dev/key', { credential: body.key });
    t.match(own.body, { id: body.id, name: 'phone' });
    t.match(own.body.last_used_at, /Z$/);
  });

  t.test('lists keys, newest first', async (t) => {
    const first = (await create({ name: 'older' })).body.id;
    const second = (await create({ name: 'newer' })).body.id;
    const ids = (await list()).map((key: { id: string }) => key.id);
    t.same(ids.slice(0, 2), [second, first]);
  });

  t.test('refuses invalid names and scopes', async (t) => {
    const cases: [body: unknown, status: number, detail: unknown][] = [
      [{ name: ' ' }, 422, [{ type: 'value_error', loc: ['body', 'name'], msg: 'Key name cannot be empty' }]],
      [{ name: `old svc_dev_${'a'.repeat(32)}` }, 422, [{ loc: ['body', 'name'], msg: /raw API key/ }]],
      [{ name: `old svc_mcp_${'a'.repeat(32)}` }, 422, [{ loc: ['body', 'name'], msg: /raw API key/ }]],
      [{ name: 'x'.repeat(201) }, 422, [{ type: 'value_error', loc: ['body', 'name'], msg: /longer/ }]],
      [{ name: 'x'.repeat(201), scopes: ['everything'] }, 422, [{ msg: /longer than 200 characters/ }]],
      [{ name: `old SVC_DEV_${'A'.repeat(32)}` }, 422, [{ loc: ['body', 'name'], msg: /raw API key/ }]],
      [{ name: 'x', scopes: ['everything'] }, 400, /^Invalid scopes\. Available: \['conversations:read', /],
      [{ name: 'x', scopes: ['goals:read', 'everything'] }, 400, /^Invalid scopes/],
      [{}, 422, [{ type: 'missing', loc: ['body', 'name'] }]],
      [{ name: 'x', scopes: 'all' }, 422, [{ type: 'list_type', loc: ['body', 'scopes'] }]],
    ];
    for (const [body, status, detail] of cases)
      t.match(await create(body), { status, body: { detail } }, JSON.stringify(body));
    for (const name of ['x'.repeat(200), '🌱'.repeat(200)])
      t.match(await create({ name }), { status: 200, body: { name } }, 'a name of the maximum length');
  });

  t.test('null scopes mean the default, and an empty list remains empty', async (t) => {
    t.equal((await create({ name: 'x', scopes: null })).body.scopes.length, 4);
    t.same((await create({ name: 'x', scopes: [] })).body.scopes, []);
    t.same((await create({ name: 'x', scopes: ['goals:write', 'goals:write'] })).body.scopes, [
      'goals:write',
    ]);
  });

  t.test('a revoked key is refused at once, and foreign keys are answered like unknown keys', async (t) => {
    const { id, key } = (await create({ name: 'lost' })).body;
    const revoke = (keyId: string, credential = token) =>
      api.call(`/v1/dev/keys/${keyId}`, { method: 'DELETE', credential });
    t.match(await revoke(id, stranger.token), { status: 204, body: '' });
    t.equal(
      (await api.call('/v1/dev/key', { credential: key })).status,
      200,
      'another user cannot revoke the key',
    );
    t.match(await revoke(id), { status: 204, body: '' });
    t.match(await api.call('/v1/dev/key', { credential: key }), {
      status: 401,
      body: { detail: 'Invalid API Key' },
    });
    t.notOk((await list()).some((listed: { id: string }) => listed.id === id));
    t.equal((await revoke(id)).status, 204);
    for (const unknown of ['nonsense', '%00', 'x%27%20or%20true'])
      t.equal((await revoke(unknown)).status, 204, unknown);
  });

  t.test("rotation keeps the key's record and replaces its secret at once", async (t) => {
    const made = (await create({ name: 'turned', scopes: ['goals:write'] })).body;
    const rotate = (id: string, credential = token) =>
      api.call(`/v1/dev/keys/${id}/rotate`, { method: 'POST', credential });
    t.equal((await api.call('/v1/dev/key', { credential: made.key })).status, 200);
    for (const answer of [await rotate(made.id, stranger.token), await rotate('nonsense')]) {
      t.match(answer, { status: 404, body: { detail: 'API key not found' } });
    }
    const { status, body } = await rotate(made.id);
    t.equal(status, 200);
    const { key, key_prefix, ...kept } = body;
    t.match(key, /^svc_dev_[0-9a-f]{32}$/);
    t.not(key, made.key);
    t.not(key_prefix, made.key_prefix);
    t.match(kept, { id: made.id, name: 'turned', scopes: ['goals:write'], created_at: made.created_at });
    t.equal(kept.last_used_at, null, 'the new secret is unused');
    t.equal(
      (await api.call('/v1/dev/key', { credential: made.key })).status,
      401,
      'the old secret is refused',
    );
    t.match(await api.call('/v1/dev/key', { credential: key }), { status: 200, body: { id: made.id } });
    await api.call(`/v1/dev/keys/${made.id}`, { method: 'DELETE', credential: token });
    t.equal((await rotate(made.id)).status, 404, 'a revoked key cannot be rotated');
  });

  t.test('each family of keys has its own scopes', async (t) => {
    const made = (family: 'dev' | 'mcp', scopes?: string[]) =>
      createApiKey(api.sql, api.settings, { uid, name: 'x', family, scopes });
    t.same((await made('mcp')).record.scopes, scopesOf.mcp, 'MCP keys have all scopes by default');
    t.notOk(
      (await made('dev')).record.scopes.some((scope) => /write/.test(scope)),
      'developer keys only read by default',
    );
    t.same((await made('mcp', ['action_items.write'])).record.scopes, ['action_items.write']);
    for (const [family, scope] of [
      ['mcp', 'memories:read'],
      ['dev', 'memories.read'],
      ['mcp', 'everything'],
    ] as const) {
      await t.rejects(made(family, [scope]), { code: 'bad_request', message: /^Invalid scopes/ }, scope);
    }
  });

  t.test('MCP keys have the same routes for management, and need an ID token', async (t) => {
    const call = (path: string, body?: unknown, more: object = {}) =>
      api.call(`/v1/mcp/keys${path}`, {
        credential: token,
        ...(body === undefined ? {} : { body }),
        ...more,
      });
    const made = await call('', { name: 'assistant', scopes: ['memories.read', 'memories.write'] });
    t.match(made, { status: 200, body: { name: 'assistant', scopes: ['memories.read', 'memories.write'] } });
    const { id, key } = made.body;
    t.match(key, /^svc_mcp_[0-9a-f]{32}$/);
    t.notOk(
      (await list()).some((listed: { id: string }) => listed.id === id),
      'developer keys are not listed',
    );
    const profile = async (credential: string) => (await api.call('/v1/mcp/profile', { credential })).status;
    t.equal(await profile(key), 200);
    const rotated = (await call(`/${id}/rotate`, undefined, { method: 'POST' })).body.key;
    t.same([await profile(key), await profile(rotated)], [401, 200]);

    const usual = (await call('', { name: 'all' })).body;
    t.same(
      usual.scopes,
      [
        ...[
          'memories.read',
          'memories.write',
          'conversations.read',
          'action_items.read',
          'action_items.write',
        ],
        ...['goals.read', 'chat.read', 'people.read', 'screen_activity.read'],
      ],
      'a key without named scopes has all scopes',
    );
    t.same(scopesOf.mcp, usual.scopes, 'there are no other scopes');
    t.same((await call('', { name: 'none', scopes: [] })).body.scopes, [], 'an empty list of scopes');
    await call(`/${(await call('')).body[0].id}`, undefined, { method: 'DELETE' });
    const body = { content: 'Likes tea.' };
    const saved = (credential: string) => api.call('/v1/mcp/memories', { credential, body });
    t.equal((await saved(usual.key)).status, 200);
    const narrowed = (await call('', { name: 'reader', scopes: ['memories.read'] })).body;
    t.equal((await saved(narrowed.key)).status, 403, 'a key with named scopes has no others');
    await call(`/${narrowed.id}`, undefined, { method: 'DELETE' });
    await api.sql`update api_keys set scopes = null where id = ${usual.id}`;
    t.equal((await saved(usual.key)).status, 403, 'a key that was stored without scopes only reads');
    const [shown] = (await call('')).body;
    t.ok(shown.scopes.length > 2 && shown.scopes.every((scope: string) => scope.endsWith('.read')));
    const ids = (await call('')).body.map((listed: { id: string }) => listed.id);
    t.same(ids.slice(0, 2), [usual.id, id], 'newest first');

    const remove = (keyId: string, credential = token, family = 'mcp') =>
      api.call(`/v1/${family}/keys/${keyId}`, { method: 'DELETE', credential });
    for (const foreign of [await remove(id, stranger.token), await remove(id, token, 'dev')])
      t.equal(foreign.status, 204);
    t.equal(await profile(rotated), 200, 'neither another user nor the developer route revokes it');
    t.equal((await remove(id)).status, 204);
    t.equal(await profile(rotated), 401);

    const refused: [body: unknown, credential: string | null, status: number, detail: unknown][] = [
      [{ name: ' ' }, token, 422, [{ loc: ['body', 'name'], msg: 'Key name cannot be empty' }]],
      [{ name: `old ${key}` }, token, 422, [{ loc: ['body', 'name'], msg: /raw API key/ }]],
      [
        { name: 'x', scopes: ['memories:read'] },
        token,
        400,
        /^Invalid scopes\. Available: \['memories.read', /,
      ],
      [{ name: 'x' }, usual.key, 401, /under \/v1\/mcp\/.*ID token/],
      [{ name: 'x' }, null, 401, 'Not authenticated'],
    ];
    for (const [body, credential, status, detail] of refused)
      t.match(await call('', body, { credential }), { status, body: { detail } }, JSON.stringify(body));
  });

  t.test("the setting `keyBrand` starts a key's prefix", async (t) => {
    const settings = { ...api.settings, keyBrand: 'acme' };
    t.match((await createApiKey(api.sql, settings, { uid, name: 'x' })).key, /^acme_dev_[0-9a-f]{32}$/);
    t.match((await createApiKey(api.sql, settings, { uid, name: 'x', family: 'mcp' })).key, /^acme_mcp_/);
  });

  t.test('refuses a key for an unknown user', async (t) => {
    const made = createApiKey(api.sql, api.settings, { uid: 'nobody', name: 'x' });
    await t.rejects(made, { code: 'bad_request', message: 'There is no user nobody' });
    const closed = connectDatabase(api.url, { name: 'test' });
    await closed.end();
    const failed = createApiKey(closed, api.settings, { uid, name: 'x' });
    await t.rejects(
      failed,
      { code: 'CONNECTION_ENDED' },
      'another failure is not reported as an unknown user',
    );
  });

  t.test('the error for too many keys names the maximum', async (t) => {
    const full = await api.person();
    const settings = { ...api.settings, maxKeysPerUser: 1 };
    const made = createApiKey(api.sql, settings, { uid: full.uid, name: 'x' });
    await t.rejects(made, { code: 'keys_full', message: /\b1\b/ });
  });

  t.test('the keys and tokens of a deleted account are refused', async (t) => {
    const gone = await api.person();
    await api.sql`delete from users where uid = ${gone.uid}`;
    t.equal((await api.call('/v1/dev/key', { credential: gone.key })).status, 401);
    t.equal((await create({ name: 'again' }, gone.token)).status, 401);
    t.ok(uid !== gone.uid);
  });
});
