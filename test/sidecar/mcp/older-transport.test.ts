/** The older transport of the tool server: clients send messages as requests, and receive the answers from a stream. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import t, { type Test } from 'tap';
import { toolServerPaths } from '../../../src/wire/event-stream.js';
import { createMcpKey } from '../../support/mcp-key.js';
import { until } from '../../support/until.js';
import { type Api, startAnother, startApi } from '../support.js';
import { openOlder } from './older-support.js';
import { assistant, endpoint, message } from './tool-support.js';

const post = (api: Api, path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  api.call(path, {
    credential: key,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

t.test('streams of the older transport and their messages', async (t) => {
  const api = await startApi(t);
  const ann = await assistant(api);

  t.test('the official client of the older transport lists and calls tools', async (t) => {
    for (const path of toolServerPaths) {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new SSEClientTransport(new URL(api.base + path), {
        requestInit: { headers: { authorization: `Bearer ${ann.key}` } },
      });
      await client.connect(transport as never);
      t.teardown(() => client.close());
      t.equal((await client.listTools()).tools.length, 24);
      const made = await client.callTool({ name: 'create_memory', arguments: { content: 'Likes tea' } });
      t.match(made.structuredContent, { success: true });
      t.same((await client.listPrompts()).prompts, []);
      await t.rejects(client.callTool({ name: 'delete_memory', arguments: { memory_id: 'x' } }), {
        code: -32001,
      });
    }
  });

  t.test('a stream starts with its endpoint and then carries only answers', async (t) => {
    const stream = await openOlder(api.base, ann.key);
    t.match(stream.headers.get('content-type'), /^text\/event-stream/);
    t.match(stream.path, /^\/v1\/mcp\/sse\?sessionId=[\w-]{32}$/);
    const send = (body: unknown, headers = {}) => post(api, stream.path, ann.key, body, headers);
    const accepted = await send(message('ping', undefined, 7));
    t.same([accepted.status, accepted.body], [202, '']);
    t.same(await stream.next(), { jsonrpc: '2.0', id: 7, result: {} });
    for (const silent of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      t.equal((await send(silent)).status, 202);
    }
    await send(message('initialize', { protocolVersion: '2025-11-25' }, 'a'));
    t.match(
      await stream.next(),
      { id: 'a', result: { protocolVersion: '2025-11-25' } },
      'notifications and responses got no answer',
    );
    await send(message('tools/call', { name: 'get_goals' }));
    t.same(
      (await stream.next()).result.structuredContent,
      { goals: [] },
      'later answers follow the initialized revision',
    );
    await send([message('ping')]);
    t.match(await stream.next(), { id: null, error: { code: -32600 } }, 'revision 2025-11-25 has no batches');
    for (const [body, code] of [
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
      [message('no/such'), -32601],
      [message('tools/call', { name: 'nope' }), -32601],
    ] as const) {
      t.equal((await send(body)).status, 202);
      t.equal((await stream.next()).error.code, code);
    }
    t.equal((await send('{')).status, 400);
    t.equal((await send(message('ping'), { 'mcp-protocol-version': '2026-07-28' })).status, 400);
    t.equal((await send(message('ping'), { origin: 'https://evil.example' })).status, 403);
    stream.leave();
    await stream.ended;
  });

  t.test('a stream without `initialize` uses the revision that the header of a message names', async (t) => {
    const stream = await openOlder(api.base, ann.key);
    const call = message('tools/call', { name: 'get_goals' });
    await post(api, stream.path, ann.key, call);
    t.notOk('structuredContent' in (await stream.next()).result, 'without a header, the oldest revision');
    await post(api, stream.path, ann.key, call, { 'mcp-protocol-version': '2025-06-18' });
    t.ok('structuredContent' in (await stream.next()).result);
    await post(api, stream.path, ann.key, [message('ping', {}, 1), 7, message('ping', {}, 2)]);
    t.same(
      [await stream.next(), await stream.next(), await stream.next()].map(({ id }) => id),
      [1, null, 2],
      'each answer to a batch is a separate event',
    );
    stream.leave();
  });

  t.test(
    'each message has the scopes of its own credential, and other users cannot post to the stream',
    async (t) => {
      const stream = await openOlder(api.base, ann.key);
      const { key } = await createMcpKey(api.sql, api.settings, ann.uid, ['goals.read']);
      await post(api, stream.path, key, message('tools/list'));
      t.same(
        (await stream.next()).result.tools.map(({ name }: { name: string }) => name),
        ['get_goals'],
      );
      const bob = await assistant(api);
      const elsewhere = await startAnother(t, api);
      for (const at of [api, elsewhere]) {
        t.equal((await post(at, stream.path, bob.key, message('ping'))).status, 404, "another user's stream");
        t.equal((await post(at, stream.path, 'svc_mcp_x', message('ping'))).status, 401);
        for (const id of ['x', '', `${'x'.repeat(5000)}`]) {
          t.equal(
            (await post(at, `${endpoint}?sessionId=${id}`, ann.key, message('ping'))).status,
            404,
            id.slice(0, 5),
          );
        }
      }
      stream.leave();
      await stream.ended;
      await until(
        async () => (await post(api, stream.path, ann.key, message('ping'))).status === 404,
        'a closed stream is unknown',
      );
    },
  );

  t.test('a sidecar forwards messages to the sidecar that keeps the stream', async (t) => {
    const elsewhere = await startAnother(t, api);
    const stream = await openOlder(api.base, ann.key);
    const opened = await post(
      elsewhere,
      stream.path,
      ann.key,
      message('initialize', { protocolVersion: '2025-06-18' }),
    );
    t.equal(opened.status, 202);
    t.match(await stream.next(), { result: { protocolVersion: '2025-06-18' } });
    await post(api, stream.path, ann.key, message('tools/call', { name: 'get_goals' }));
    t.ok((await stream.next()).result.structuredContent, 'the stream keeps its revision');
    await post(elsewhere, stream.path, ann.key, `\uFEFF${JSON.stringify(message('ping', {}, 'marked'))}`);
    t.equal((await stream.next()).id, 'marked', 'a message after a byte order mark');
    for (let id = 0; id < 30; id++) {
      const at = id % 3 === 0 ? api : elsewhere;
      t.equal((await post(at, stream.path, ann.key, message('ping', {}, id))).status, 202);
      t.equal((await stream.next()).id, id);
    }
    const { key } = await createMcpKey(api.sql, api.settings, ann.uid, ['chat.read']);
    await post(elsewhere, stream.path, key, message('tools/list'));
    t.equal((await stream.next()).result.tools.length, 1, 'with the scopes of its own credential');
    const [left] = await api.sql`select count(*)::integer as count from tool_stream_messages`;
    t.equal(left!.count, 0, 'no forwarded message remains');
    stream.leave();
  });

  t.test('a stream ends when its sidecar closes', async (t) => {
    let ended: Promise<string> | undefined;
    await t.test('opens a stream, and closes the sidecar at the end of this test', async (t: Test) => {
      const other = await startAnother(t, api);
      const stream = await openOlder(other.base, ann.key);
      ended = stream.ended;
    });
    t.equal(await ended, '', 'the stream ended without an error');
    await until(
      async () => (await api.sql`select from tool_streams where uid = ${ann.uid}`).length === 0,
      'its row is deleted',
    );
  });

  t.test('a request with a session, or without events in `accept`, uses the newer transport', async (t) => {
    for (const [accept, session] of [
      ['text/event-stream', ann.session],
      ['*/*', ''],
    ] as const) {
      const { status, body } = await api.call(endpoint, {
        credential: ann.key,
        headers: { accept, 'mcp-session-id': session },
      });
      t.same([status, body], [200, ': keep-alive\n\n']);
    }
  });
});

t.test('limits of open streams', async (t) => {
  const api = await startApi(t, {
    MAX_TOOL_STREAMS: '4',
    MAX_TOOL_STREAMS_PER_USER: '2',
    MAX_TOOL_STREAMS_PER_ADDRESS: '3',
  });
  const [ann, bob, carl] = [await assistant(api), await assistant(api), await assistant(api)];
  const stored = async () => (await api.sql`select count(*)::integer as count from tool_streams`)[0]!.count;
  const from = (host: string) => ({ 'x-forwarded-for': host });
  const own = [await openOlder(api.base, ann.key), await openOlder(api.base, ann.key)];
  t.same(
    own.map(({ status }) => status),
    [200, 200],
  );
  const refused = await openOlder(api.base, ann.key);
  t.equal(refused.status, 503, 'a user has at most two streams');
  t.match(await refused.ended, /for this user/);
  t.ok(refused.headers.get('retry-after'));
  const third = await openOlder(api.base, bob.key, from('192.0.2.1'));
  t.equal(third.status, 200);
  t.equal((await openOlder(api.base, carl.key, from('192.0.2.1'))).status, 200);
  t.equal(
    (await openOlder(api.base, carl.key, from('192.0.2.2'))).status,
    503,
    'the server has at most four streams',
  );
  t.equal((await ann.send(message('tools/list'))).status, 200, 'requests have their own quota');
  for (const stream of own) stream.leave();
  await Promise.all(own.map(({ ended }) => ended));
  await until(
    async () => (await openOlder(api.base, bob.key, from('192.0.2.1'))).status === 200,
    'closed streams free their slots, so the address gets its third stream',
  );
  await until(async () => (await stored()) === 3, 'three streams remain open');
  t.equal(
    (await openOlder(api.base, carl.key, from('192.0.2.1'))).status,
    503,
    'the address gets no fourth stream',
  );
  t.equal((await openOlder(api.base, carl.key, from('192.0.2.2'))).status, 200);
});
