import { once } from 'node:events';
import { createServer, METHODS } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import t from 'tap';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { createLogger } from '../../../src/log/logger.js';
import { startSidecar } from '../../../src/sidecar/start-sidecar.js';
import { conversations, fromSegments, said, startApi, testSettings } from '../support.js';

const talk = [said('We discussed the budget of the garden project.')];
const nobody = '00000000-0000-4000-8000-000000000000';

t.test('behaviour of every route', async (t) => {
  const api = await startApi(t, {
    RATE_LIMIT_BOOST: '1',
    CORS_ALLOWED_ORIGINS: 'https://app.example',
    BODY_LIMIT: '20000',
  });
  const { key, token } = await api.person();
  const reader = await api.person(['conversations:read']);
  const mcpKey = `svc_mcp_${'0'.repeat(32)}`;

  t.test('credentials are checked before bodies and queries', async (t) => {
    const keyMissing = "Missing or invalid Authorization header. Must be 'Bearer API_KEY'";
    const post = { method: 'POST', body: {} };
    const twin = '/v1/conversations/from-segments';
    const cases: [name: string, path: string, request: object, status: number, detail: string | RegExp][] = [
      ['no key', fromSegments, post, 401, keyMissing],
      ['no key on the list', `${conversations}?limit=x`, {}, 401, keyMissing],
      ['another scheme', conversations, { headers: { authorization: `Basic ${key}` } }, 401, keyMissing],
      ['an unknown key', conversations, { credential: `svc_dev_${'0'.repeat(32)}` }, 401, 'Invalid API Key'],
      ['half a key', conversations, { credential: key.slice(0, -1) }, 401, 'Invalid API Key'],
      ['a key in capitals', conversations, { credential: key.toUpperCase() }, 401, 'Invalid API Key'],
      ['a token at a route for keys', conversations, { credential: token }, 401, 'Invalid API Key'],
      [
        'an invalid token at a route that accepts tokens',
        fromSegments,
        { ...post, credential: 'a.b.c' },
        401,
        'Invalid API Key',
      ],
      ['an MCP key', fromSegments, { ...post, credential: mcpKey }, 401, /MCP API key.*POST \/v1\/dev\/keys/],
      [
        'an MCP key on the list',
        conversations,
        { credential: mcpKey },
        401,
        /MCP API key.*cochlea keys create/,
      ],
      [
        'a key that may only read',
        fromSegments,
        { ...post, credential: reader.key },
        403,
        'Insufficient permissions. Required scope: conversations:write',
      ],
      ['first party, nothing', twin, post, 401, 'Authorization header not found'],
      [
        'first party, one word',
        twin,
        { ...post, headers: { authorization: token } },
        401,
        'Invalid authorization token',
      ],
      [
        'first party, a bad token',
        twin,
        { ...post, credential: 'x.y.z' },
        401,
        'Invalid authorization token',
      ],
      [
        'first party, a developer key',
        twin,
        { ...post, credential: key },
        401,
        /under \/v1\/dev\/.*ID token/,
      ],
      ['first party, an MCP key', twin, { ...post, credential: mcpKey }, 401, /MCP API key.*ID token/],
      [
        'an assistant, a developer key',
        '/v1/mcp/profile',
        { credential: key },
        401,
        /only authenticate the Developer API under \/v1\/dev\/.*POST \/v1\/mcp\/keys/,
      ],
      [
        'first party, the token of an assistant',
        twin,
        { ...post, credential: `svc_oat_${'x'.repeat(43)}` },
        401,
        /only authenticate the endpoints under \/v1\/mcp\/.*ID token/,
      ],
      ['keys, nothing', '/v1/dev/keys', {}, 401, 'Not authenticated'],
      ['keys, a developer key', '/v1/dev/keys', { credential: key }, 401, /under \/v1\/dev\/.*ID token/],
      [
        'keys, a bad token',
        '/v1/dev/keys',
        { credential: 'x.y.z' },
        401,
        'Invalid authentication credentials',
      ],
    ];
    for (const [name, path, request, status, detail] of cases) {
      t.match(await api.call(path, request), { status, body: { detail } }, name);
    }
    for (const credential of [undefined, key, token, mcpKey]) {
      for (const path of ['/v1/memories', '/v2/memories']) {
        t.equal((await api.call(path, { credential })).status, 404, `${path} does not exist`);
      }
    }
    const unparsable = { body: '{' };
    t.match(await api.call(fromSegments, unparsable), { status: 401 }, 'before the body is read');
    t.match(
      await api.call(fromSegments, { ...unparsable, credential: key }),
      { status: 422, body: { detail: [{ type: 'json_invalid' }] } },
      'the body is read after the credential is accepted',
    );
  });

  t.test('the error for a wrong kind of key names existing endpoints', async (t) => {
    const named = new Set<string>();
    for (const [path, credential] of [
      [conversations, mcpKey],
      ['/v1/conversations/from-segments', key],
    ] as const) {
      const answer = await api.call(path, { method: path === conversations ? 'GET' : 'POST', credential });
      const { detail } = answer.body as { readonly detail: string };
      for (const [request] of detail.matchAll(/\b(?:GET|POST) \/v1\/[\w/-]+/g)) named.add(request);
    }
    t.equal(named.size, 3);
    for (const request of named) {
      const [method, path] = request.split(' ') as [string, string];
      t.match(await api.call(path, { method }), { status: 401 }, request);
    }
  });

  t.test('unknown paths are answered 404 and unknown methods 405', async (t) => {
    for (const path of ['/v1/memories', '/v2/memories', '/', '/%ff', '/v1/dev/user/nothing']) {
      t.match(
        await api.call(path, { credential: key }),
        { status: 404, body: { detail: 'Not Found' } },
        path,
      );
    }
    for (const path of [
      '/.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource',
      '/.well-known/jwks.json',
    ]) {
      const [head, got] = [await api.call(path, { method: 'HEAD' }), await api.call(path)];
      t.match(head, { status: 200, body: '' }, `HEAD ${path}`);
      t.equal(head.headers.get('cache-control'), got.headers.get('cache-control'));
      t.equal(Number(head.headers.get('content-length')), JSON.stringify(got.body).length);
    }
    for (const [method, path, allow] of [
      ['PUT', '/v1/dev/keys', 'GET, POST'],
      ['DELETE', conversations, 'GET, POST'],
      ['GET', fromSegments.replace('/dev/user', ''), 'POST'],
      ['POST', '/health/live', 'GET, HEAD'],
      ['PUT', '/v1/dev/key', 'GET'],
      ['QUERY', '/v1/dev/key', 'GET'],
    ] as const) {
      if (!METHODS.includes(method)) {
        t.pass(`${method} ${path}`, {
          skip: 'this Node.js release does not know the method and answers 400',
        });
        continue;
      }
      const answer = await api.call(path, { method, credential: key });
      t.match(answer, { status: 405, body: { detail: 'Method Not Allowed' } }, `${method} ${path}`);
      t.equal(answer.headers.get('allow'), allow);
    }
  });

  t.test('unlisted origins get no CORS headers', async (t) => {
    const preflight = (origin: string) =>
      api.call(conversations, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
    const allowed = await preflight('https://app.example');
    t.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example');
    t.equal(allowed.headers.get('access-control-allow-credentials'), null);
    const refused = await preflight('https://evil.example');
    t.equal(refused.headers.get('access-control-allow-origin'), null);
  });

  t.test('a body over the limit is answered 413', async (t) => {
    const answer = await api.call(fromSegments, {
      credential: key,
      body: { transcript_segments: [said('x'.repeat(30_000))] },
    });
    t.match(answer, { status: 413, body: { detail: 'Request body is too large' } });
  });

  t.test('a body over the limit is read to its end, so that its sender gets the answer', async (t) => {
    const { hostname, port } = new URL(api.base);
    const socket = connect(Number(port), hostname);
    t.teardown(() => socket.destroy());
    let told = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      told += part;
    });
    const until = async (pattern: RegExp): Promise<void> => {
      while (!pattern.test(told) && !socket.closed)
        await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      t.match(told, pattern);
    };
    const length = 3_000_000;
    socket.write(
      `POST ${fromSegments} HTTP/1.1\r\nHost: cochlea\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    await until(/^HTTP\/1\.1 413 [\s\S]*Request body is too large/);
    t.notMatch(told, /connection: close/i);
    socket.write('x'.repeat(length));
    socket.write('GET /nothing HTTP/1.1\r\nHost: cochlea\r\n\r\n');
    await until(/HTTP\/1\.1 404 /);
  });

  t.test('a body with another content type than JSON is refused', async (t) => {
    const body = JSON.stringify({ transcript_segments: talk });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await api.call(fromSegments, { credential: key, body, headers: form });
    t.match(answer, { status: 422, body: { detail: [{ type: 'model_attributes_type', loc: ['body'] }] } });
  });

  t.test('rate limits count per user, and the answer names the limit', async (t) => {
    const { key: first, uid } = await api.person();
    const create = (credential: string) => api.call(fromSegments, { credential, body: {} });
    for (let left = 24; left >= 0; left--) {
      const answer = await create(first);
      t.equal(answer.status, 422);
      t.equal(answer.headers.get('x-ratelimit-remaining'), String(left));
      t.equal(answer.headers.get('x-ratelimit-limit'), '25');
    }
    const refused = await create(first);
    t.match(refused, {
      status: 429,
      body: { detail: /^Rate limit exceeded \(dev:conversations\)\. Try again in \d+s\.$/ },
    });
    t.equal(refused.headers.get('x-ratelimit-remaining'), '0');
    t.match(refused.headers.get('retry-after'), /^\d+$/);
    const { createApiKey } = await import('../../../src/identity/index.js');
    const second = await createApiKey(api.sql, api.settings, {
      uid,
      name: 'more',
      scopes: ['conversations:write'],
    });
    t.equal((await create(second.key)).status, 429, 'another key of the same user has the same limit');
    t.equal((await create((await api.person()).key)).status, 422, 'another user has a separate limit');
  });

  t.test('transcripts have their own rate limit for every spelling of the parameter', async (t) => {
    const { key: own } = await api.person();
    const spellings = ['true', '1', 'yes', 'on', 'True'];
    for (let count = 0; count < 25; count++) {
      const path = `${conversations}?include_transcript=${spellings[count % spellings.length]}`;
      t.equal((await api.call(path, { credential: own })).status, 200);
    }
    const refused = await api.call(`${conversations}/${nobody}?include_transcript=true`, { credential: own });
    t.match(refused, { status: 429, body: { detail: /dev:conversation_transcript_read/ } });
    t.equal(
      (await api.call(conversations, { credential: own })).status,
      200,
      'requests without transcript are still allowed',
    );
  });

  t.test(
    'routes without a credential return health and the public keys of the built-in issuer',
    async (t) => {
      t.match(await api.call('/health/live'), { status: 200, body: { status: 'ok' } });
      t.match(await api.call('/health/ready'), {
        status: 200,
        body: { status: 'ok', database: true, queue: true, clock: true },
      });
      const { body: jwks } = await api.call('/.well-known/jwks.json');
      t.match(jwks.keys, [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: /.+/ }]);
      t.notOk('d' in jwks.keys[0], 'no private key');
      const { body: discovery } = await api.call('/.well-known/openid-configuration');
      t.match(discovery, {
        issuer: /^http:\/\/127\.0\.0\.1:\d+$/,
        jwks_uri: /^http:\/\/127\.0\.0\.1:\d+\/\.well-known\/jwks\.json$/,
      });
    },
  );

  t.test('bytes that are not HTTP do not stop the service', async (t) => {
    const socket = connect(Number(new URL(api.base).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.write('\0\x01\x02 nonsense\r\n\r\n');
    await once(socket, 'close');
    t.equal((await api.call('/health/live')).status, 200);
  });
});

t.test('an occupied port is reported with its setting', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const { port } = holder.address() as AddressInfo;
  const settings = testSettings({ SIDECAR_PORT: String(port) });
  const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
  const refused = startSidecar({ settings, databaseUrl, log: createLogger('test', 'silent') });
  await t.rejects(
    refused,
    new CochleaError('port_taken', { port, host: '127.0.0.1', setting: 'SIDECAR_PORT' }),
  );
});

t.test('a request waits for the database only until its time limit', async (t) => {
  const api = await startApi(t, { REQUEST_TIMEOUT: '1500' });
  const { key } = await api.person();
  const { given: answer } = await api.sql.begin(async (transaction) => {
    await transaction`lock table conversations in access exclusive mode`;
    return { given: await api.call(conversations, { credential: key }) };
  });
  t.match(answer, { status: 503, body: { detail: 'The database is unavailable' } });
  t.equal(answer.headers.get('retry-after'), '1');
  t.equal((await api.call(conversations, { credential: key })).status, 200);
});

t.test('a sidecar without a database answers 503, and closes', async (t) => {
  const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
  const sidecar = await startSidecar({
    settings: testSettings(),
    databaseUrl,
    log: createLogger('test', 'silent'),
  });
  const get = (path: string, headers = {}) => fetch(`http://127.0.0.1:${sidecar.port}${path}`, { headers });
  t.equal((await get('/health/live')).status, 200);
  t.equal((await get('/health/ready')).status, 503);
  const answer = await get(conversations, { authorization: `Bearer svc_dev_${'0'.repeat(32)}` });
  t.equal(answer.status, 503);
  t.same(await answer.json(), { detail: 'The database is unavailable' });
  await sidecar.close();
  await sidecar.close();
  await t.rejects(get('/health/live'), 'it has stopped listening');
});
