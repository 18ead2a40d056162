/**
 * Tests the newer transport of the tool server: JSON-RPC messages, batches, sessions, revisions, origins and content
 * types of answers.
 */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { release } from '../../../src/config/process/release.js';
import { createUser } from '../../../src/identity/users.js';
import { eventComment, holdHeader, toolServerPaths } from '../../../src/wire/event-stream.js';
import { startAnother, startApi } from '../support.js';
import { assistant, endpoint, message } from './tool-support.js';

t.test('transport of the tool server', async (t) => {
  const api = await startApi(t, { CORS_ALLOWED_ORIGINS: 'https://app.example.org,capacitor://localhost' });
  const ann = await assistant(api);
  const initialize = (params?: unknown, headers = {}) =>
    api.call(endpoint, { credential: ann.key, body: message('initialize', params), headers });

  t.test(
    'initialize returns the requested revision, the newest for an unknown one, and the default for none',
    async (t) => {
      for (const [asked, answered] of [
        [undefined, '2025-03-26'],
        [{}, '2025-03-26'],
        [{ protocolVersion: '2024-11-05' }, '2024-11-05'],
        [{ protocolVersion: '2025-03-26' }, '2025-03-26'],
        [{ protocolVersion: '2025-06-18' }, '2025-06-18'],
        [{ protocolVersion: '2025-11-25', capabilities: {} }, '2025-11-25'],
        [{ protocolVersion: '1999-01-01' }, '2025-11-25'],
        [{ protocolVersion: '2099-01-01' }, '2025-11-25'],
        [{ protocolVersion: 'DRAFT-2026-v1' }, '2025-11-25'],
        [{ protocolVersion: null }, '2025-03-26'],
        [{ protocolVersion: 7 }, '2025-03-26'],
      ] as const) {
        const { status, body, headers } = await initialize(asked);
        t.equal(status, 200);
        t.equal(body.result.protocolVersion, answered, JSON.stringify(asked));
        t.same(body.result.capabilities, { tools: {} });
        t.equal(body.result.serverInfo.version, release);
        t.match(headers.get('mcp-session-id'), /^[\x21-\x7e]{20,100}$/);
      }
    },
  );

  t.test('a second initialize opens another session, even with an unknown session id', async (t) => {
    const second = await initialize({}, { 'mcp-session-id': ann.session });
    t.equal(second.status, 200);
    t.not(second.headers.get('mcp-session-id'), ann.session);
    t.equal((await initialize({}, { 'mcp-session-id': 'gone' })).status, 200);
    t.equal((await ann.send(message('tools/list'))).status, 200, 'the first session still works');
  });

  t.test('tools need a session, and unknown, foreign or ended sessions are answered 404', async (t) => {
    const post = (body: unknown, headers = {}) => api.call(endpoint, { credential: ann.key, body, headers });
    t.equal((await post(message('tools/list'))).status, 400);
    t.equal((await post([message('ping'), message('tools/list')])).status, 400);
    t.equal((await post(message('tools/call', { name: 'get_memories' }))).status, 400);
    t.same(
      (await post(message('ping'))).body,
      { jsonrpc: '2.0', id: 1, result: {} },
      'ping needs no session',
    );
    const other = await assistant(api);
    const changed = ann.session.slice(0, -1) + (ann.session.endsWith('A') ? 'Q' : 'A');
    for (const id of ['x', other.session, changed, `${ann.session}x`, 'a'.repeat(5000)]) {
      const { status } = await ann.send(message('tools/list'), { 'mcp-session-id': id });
      t.equal(status, 404, id.slice(0, 60));
    }
    t.equal(
      (await ann.send(message('ping'), { 'mcp-session-id': other.session })).status,
      404,
      'a session of another user',
    );
    const end = (headers: Record<string, string>) =>
      api.call(endpoint, { method: 'DELETE', credential: other.key, headers });
    t.equal((await end({})).status, 400);
    t.equal((await end({ 'mcp-session-id': 'x' })).status, 404);
    t.equal((await end({ 'mcp-session-id': ann.session })).status, 404, 'a session of another user remains');
    t.equal((await end({ 'mcp-session-id': other.session })).status, 204);
    t.equal((await other.send(message('tools/list'))).status, 404);
    t.equal((await end({ 'mcp-session-id': other.session })).status, 404);
    const elsewhere = await startAnother(t, api);
    const there = (session: string, key: string) =>
      elsewhere.call('/v1/mcp', {
        credential: key,
        body: message('tools/list'),
        headers: { 'mcp-session-id': session },
      });
    t.equal((await there(ann.session, ann.key)).status, 200, 'another sidecar accepts the session');
    t.equal((await there(other.session, other.key)).status, 404, 'another sidecar refuses the ended session');
  });

  t.test('answers or refuses each kind of JSON-RPC message', async (t) => {
    const cases: readonly [body: unknown, code: number | null, id?: unknown][] = [
      [message('ping', undefined, 0), null, 0],
      [message('ping', undefined, -5), null, -5],
      [message('ping', undefined, 'a'), null, 'a'],
      [message('ping', undefined, ''), null, ''],
      [message('ping', undefined, null), -32600],
      [message('ping', undefined, 1.5), -32600],
      [message('ping', undefined, 1e300), -32600],
      [message('ping', undefined, true), -32600],
      [message('ping', undefined, {}), -32600],
      [message('ping', undefined, 'x'.repeat(1001)), -32600],
      [{ id: 1, method: 'ping' }, -32600],
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: 1 }, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 7 }, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 'notifications/initialized' }, -32600],
      [message('ping', []), -32602, 1],
      [message('ping', 7), -32602, 1],
      [message('ping', null), null, 1],
      [message('tools/list', null), null, 1],
      [message('prompts/list', { cursor: 'x' }), -32602, 1],
      [message('prompts/get', { name: 'x' }), -32601, 1],
      [message('resources/read', { uri: 'x' }), -32601, 1],
      [message('logging/setLevel', { level: 'info' }), -32601, 1],
      [message('completion/complete', {}), -32601, 1],
      [message('__proto__'), -32601, 1],
      [7, -32600],
      [null, -32600],
      ['text', -32600],
      [[], -32600],
      [[[]], -32600],
    ];
    for (const [body, code, id = null] of cases) {
      const answer = await ann.send(JSON.stringify(body));
      const shown = JSON.stringify(body).slice(0, 60);
      t.equal(answer.status, 200, shown);
      const one = Array.isArray(answer.body) ? answer.body[0] : answer.body;
      t.same([one.error?.code ?? null, one.id], [code, id], shown);
    }
    for (const text of ['{', '', 'null x', '{"jsonrpc":"2.0"']) {
      const answer = await ann.send(text);
      t.equal(answer.status, 400, text);
      t.ok(answer.body.detail);
    }
    const deep = await ann.send('['.repeat(100_000) + ']'.repeat(100_000));
    t.equal(deep.status, 400, 'a deep array is refused and does not crash the sidecar');
    const deeper = '['.repeat(18_000) + ']'.repeat(18_000);
    const refused = await ann.send(deeper);
    t.match(
      refused,
      { status: 400, body: { detail: /more than 1000 nested lists/ } },
      'refused in the thread that received it',
    );
    const { key } = await api.person(['memories:write']);
    const elsewhere = await api.call('/v1/dev/user/memories', { credential: key, body: deeper });
    t.match(elsewhere, { status: 422, body: { detail: [{ type: 'json_too_deep' }] } });
    const large = await ann.send(message('ping', { text: 'x'.repeat(fixedLimits.toolBody.value) }));
    t.equal(large.status, 413);
  });

  t.test('lists of prompts and resources are empty', async (t) => {
    for (const [method, result] of [
      ['prompts/list', { prompts: [] }],
      ['resources/list', { resources: [] }],
      ['resources/templates/list', { resourceTemplates: [] }],
    ] as const) {
      t.same((await ann.send(message(method))).body.result, result, method);
    }
  });

  t.test('a message without an id is not run, and is answered 202 without a body', async (t) => {
    const bob = await assistant(api);
    const write = { name: 'create_memory', arguments: { content: 'x' } };
    for (const [method, params] of [
      ['ping', {}],
      ['initialized', {}],
      ['no/such/method', null],
      ['tools/list', []],
      ['tools/call', write],
    ] as const) {
      const { status, body } = await bob.send({ jsonrpc: '2.0', method, params });
      t.same([status, body], [202, ''], method);
    }
    t.equal((await bob.call('get_memories')).returned_count, 0);
  });

  t.test('notifications and responses are answered 202 without a body', async (t) => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const response = { jsonrpc: '2.0', id: 4, result: {} };
    for (const body of [notification, response, [notification, response]]) {
      const answer = await ann.send(body);
      t.equal(answer.status, 202);
      t.equal(answer.body, '');
      t.equal(answer.headers.get('content-length'), '0');
    }
    const mixed = await ann.send([notification, message('ping', undefined, 9)]);
    t.same(mixed.body, [{ jsonrpc: '2.0', id: 9, result: {} }]);
  });

  t.test('a batch stops when its answers are too long together', async (t) => {
    const bob = await assistant(api);
    await api.sql`
      insert into screen_activity (uid, id, app_name, window_title, ocr_text, created_at)
      select ${bob.uid}, 'row-' || n, 'Mail', null, repeat(chr(1), 10000), now() - make_interval(secs => n)
      from generate_series(1, 60) as n`;
    const screen = (id: number) => message('tools/call', { name: 'get_screen_activity' }, id);
    const write = message('tools/call', { name: 'create_memory', arguments: { content: 'x' } }, 3);
    const { body } = await bob.send([screen(1), screen(2), write, message('ping', undefined, 4)]);
    t.equal((await bob.call('get_memories')).returned_count, 0, 'later messages are not run');
    const found = JSON.parse(body[0].result.content[0].text).screen_activity;
    t.equal(found.length, 50, 'an answer has the newest rows that fit');
    t.equal(found.at(-1).id, 'row-1');
    t.same(
      body.map((one: { id: number; error?: { code: number } }) => [one.id, one.error?.code]),
      [
        [1, undefined],
        [2, undefined],
        [3, -32009],
        [4, -32009],
      ],
    );
  });

  t.test('batches are bounded, cannot initialize, and exist only until revision 2025-03-26', async (t) => {
    const pings = (count: number) => Array.from({ length: count }, (_, id) => message('ping', undefined, id));
    const most = await ann.send(pings(fixedLimits.toolBatch.value));
    t.equal(most.body.length, fixedLimits.toolBatch.value);
    t.equal((await ann.send(pings(fixedLimits.toolBatch.value + 1))).body.error.code, -32600);
    const opening = await ann.send([message('initialize', {}), message('ping')]);
    t.equal(opening.body.error.code, -32600);
    t.equal(opening.headers.get('mcp-session-id'), null);
    const malformed = await ann.send([7, message('ping', undefined, 2)]);
    t.same(
      malformed.body.map((one: { id: unknown; error?: { code: number } }) => [one.id, one.error?.code]),
      [
        [null, -32600],
        [2, undefined],
      ],
    );
    const newer = await assistant(api, { revision: '2025-06-18' });
    t.equal((await newer.send(pings(2))).body.error.code, -32600, 'later revisions have no batches');
  });

  t.test('answers are JSON, or an event stream if the client accepts it', async (t) => {
    for (const accept of ['*/*', 'application/json']) {
      const answer = await ann.send(message('ping'), { accept });
      t.match(answer.headers.get('content-type'), /^application\/json/);
      t.same(answer.body.result, {});
    }
    for (const accept of ['text/event-stream', 'application/json, Text/Event-Stream']) {
      const answer = await ann.send([message('ping', {}, 1), message('ping', {}, 2)], { accept });
      t.match(answer.headers.get('content-type'), /^text\/event-stream/);
      t.equal(answer.headers.get('cache-control'), 'no-cache');
      t.equal(
        answer.body,
        [1, 2].map((id) => `event: message\ndata: {"jsonrpc":"2.0","id":${id},"result":{}}\n\n`).join(''),
      );
    }
  });

  t.test('passes a stream of events to the front', async (t) => {
    const open = (headers: Record<string, string> = {}) =>
      api.call(endpoint, { credential: ann.key, headers: { 'mcp-session-id': ann.session, ...headers } });
    const { status, headers, body } = await open();
    t.equal(status, 200);
    t.match(headers.get('content-type'), /^text\/event-stream/);
    t.equal(headers.get(holdHeader), ann.uid);
    t.equal(body, eventComment);
    for (const [more, refused] of [
      [{ 'mcp-session-id': 'x' }, 404],
      [{ 'mcp-protocol-version': '2026-07-28' }, 400],
      [{ origin: 'https://evil.example' }, 403],
    ] as const) {
      const answer = await open(more);
      t.equal(answer.status, refused);
      t.equal(answer.headers.get(holdHeader), null);
    }
    t.equal((await open({ 'mcp-session-id': '' })).status, 200, 'also without a session');
  });

  t.test('refuses an unknown revision in the header', async (t) => {
    const named = (revision: string) => ann.send(message('ping'), { 'mcp-protocol-version': revision });
    t.equal((await named('2025-11-25')).status, 200);
    t.equal((await named('2026-07-28')).status, 400);
    t.equal(
      (await initialize({}, { 'mcp-protocol-version': '2026-07-28' })).status,
      200,
      'initialize accepts it',
    );
  });

  t.test('accepts only configured and loopback origins', async (t) => {
    for (const [origin, status] of [
      ['http://localhost:6274', 200],
      ['http://127.0.0.1:8787', 200],
      ['http://[::1]:1', 200],
      ['https://app.example.org', 200],
      ['https://APP.example.org:443', 200],
      ['capacitor://localhost', 200],
      ['capacitor://evil', 403],
      ['capacitor://localhost.evil', 403],
      ['https://evil.example', 403],
      ['http://localhost.evil.example', 403],
      ['http://localhost:80@evil.example', 403],
      ['https://app.example.org.evil.example', 403],
      ['null', 403],
      ['', 403],
      ['x'.repeat(4000), 403],
    ] as const) {
      const answer = await ann.send(message('ping'), { origin });
      t.equal(answer.status, status, origin.slice(0, 60));
    }
    const unknown = await api.call(endpoint, {
      body: message('ping'),
      headers: { origin: 'https://evil.example' },
    });
    t.equal(unknown.status, 403, 'checked before the credential');
    const answer = await ann.send(message('ping'), { origin: 'https://app.example.org' });
    t.match(answer.headers.get('access-control-expose-headers'), /Mcp-Session-Id/);
  });

  t.test('a missing or wrong bearer token is answered 401 with the address of the metadata', async (t) => {
    for (const authorization of [undefined, ann.key, `Basic ${ann.key}`, 'Bearer nonsense']) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer = await api.call(endpoint, {
          method,
          headers: authorization === undefined ? {} : { authorization },
        });
        t.equal(answer.status, 401);
        t.match(answer.headers.get('www-authenticate'), /resource_metadata="http.*\/v1\/mcp\/sse"/);
        for (const path of toolServerPaths) {
          const other = await api.call(path, { method, headers: authorization ? { authorization } : {} });
          t.ok(other.headers.get('www-authenticate')?.includes(`oauth-protected-resource${path}"`), path);
        }
      }
    }
    const reader = await assistant(api, { scopes: ['conversations.read'] });
    const calls = { create_memory: { content: 'x' }, fetch: { id: 'memory:x' } };
    for (const url of toolServerPaths) {
      for (const [name, given] of Object.entries(calls)) {
        const { body } = await api.call(url, {
          credential: reader.key,
          body: message('tools/call', { name, arguments: given }),
          headers: { 'mcp-session-id': reader.session },
        });
        const [challenge] = body.error.data._meta['mcp/www_authenticate'];
        t.ok(challenge.includes(`${url}"`), `${url} ${name}: ${challenge}`);
      }
    }
    const { key, token } = await api.person();
    for (const [credential, detail] of [
      [key, /only authenticate the Developer API under \/v1\/dev\/.*POST \/v1\/mcp\/keys/],
      [token, /./],
    ] as const) {
      const answer = await api.call(endpoint, { credential, body: message('ping') });
      t.match(answer, { status: 401, body: { detail } });
    }
  });

  t.test('the information page needs no credential', async (t) => {
    const { status, body } = await api.call(`${endpoint}/info`);
    t.equal(status, 200);
    t.match(body, { endpoint, transport: 'streamable-http', protocol_version: '2025-03-26' });
  });
});

t.test("every message of a batch counts against its user's rate limit", async (t) => {
  const api = await startApi(t, { RATE_LIMIT_BOOST: '1' });
  const ann = await assistant(api);
  const batch = Array.from({ length: 20 }, (_, id) => message('ping', undefined, id));
  const left = async () => Number((await ann.send(message('ping'))).headers.get('x-ratelimit-remaining'));
  const before = await left();
  t.equal((await ann.send(batch)).status, 200);
  t.equal(await left(), before - 21);
  await api.sql`update rate_windows set used = 1990 where subject = ${ann.uid}`;
  const refused = await ann.send(batch);
  t.equal(refused.status, 429, 'refuses the whole batch');
  t.match(refused.body.detail, /mcp:sse/);
  t.ok(Number(refused.headers.get('retry-after')) >= 1);
  t.equal((await ann.send(message('ping'))).status, 200, 'a request that fits is served');
  await api.sql`update rate_windows set used = 2000 where subject = ${ann.uid}`;
  const full = await ann.send(message('ping'));
  t.equal(full.status, 429);
  t.ok(Number(full.headers.get('retry-after')) >= 1);
  const { uid } = await createUser(api.sql, { uid: 'another' });
  t.equal(
    (await (await assistant(api, { uid })).send(message('ping'))).status,
    200,
    'another user is served',
  );
});
