/** Follows an assistant from discovery to the end of its access, through the listener of `cochlea up`. The sidecar is killed in between. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as client from 'openid-client';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { eventComment } from '../../../src/wire/event-stream.js';
import { allow, beginWith, exchange, refusedWith } from '../../sidecar/issuer/grant-support.js';
import { assistants, Browser, signUp } from '../../sidecar/issuer/sign-in-support.js';
import { endpoint, message } from '../../sidecar/mcp/tool-support.js';
import { metric, startService } from '../../support/service.js';
import { until } from '../../support/until.js';

t.test('an assistant works from discovery until its grant ends', async (t) => {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const service = await startService(t, {
    PORT: port,
    PUBLIC_URL: base,
    OAUTH_CLIENTS: JSON.stringify(assistants),
    COCHLEA_STT: 'discard',
    SENTENCE_MODEL: 'none',
  });
  await signUp(base, service.dataDir, 'ann@example.org');
  // biome-ignore lint/suspicious/noExplicitAny: each line knows the shape of the JSON answer that it reads
  const json = async (answer: Response | Promise<Response>): Promise<any> => (await answer).json();

  const refused = await fetch(base + endpoint, { method: 'POST' });
  t.equal(refused.status, 401);
  const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)![1]!;
  t.equal((await fetch(metadata, { method: 'HEAD' })).status, 200);
  const resource = await json(fetch(metadata));
  t.match(resource, { resource: base + endpoint, authorization_servers: [base] });
  const server = await json(
    fetch(`${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`),
  );
  t.match(server, {
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    code_challenge_methods_supported: ['S256'],
  });
  t.match(await json(fetch(`${base}${endpoint}/info`)), {
    endpoint,
    authentication: { oauth2: { resource: base + endpoint } },
  });

  const scopes = ['memories.read', 'memories.write', 'conversations.read'];
  const browser = new Browser(base);
  const begun = await beginWith(base, { scope: scopes.join(' ') });
  const consent = await browser.signIn(await browser.get(begun.address.href), 'ann@example.org');
  const first = await exchange(begun, await allow(browser, consent, scopes));
  let access = first.access_token;
  const post = (body: object, session?: string) =>
    fetch(base + endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access}`,
        'content-type': 'application/json',
        ...(session && { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    });
  // Like an assistant that follows only its instructions, the request has no revision and no Accept header.
  const opened = await post(message('initialize', {}));
  t.match(await opened.json(), { result: { protocolVersion: '2025-03-26', capabilities: { tools: {} } } });
  const session = opened.headers.get('mcp-session-id')!;
  t.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)).status, 202);
  const call = async (name: string, given: object = {}) => {
    const answer = await json(post(message('tools/call', { name, arguments: given }), session));
    return answer.error ?? JSON.parse(answer.result.content[0].text);
  };
  const { tools } = (await json(post(message('tools/list'), session))).result;
  t.same(
    tools
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => /action_item|goal|people/.test(name)),
    [],
  );
  const stream = await fetch(base + endpoint, {
    headers: { authorization: `Bearer ${access}`, accept: 'text/event-stream', 'mcp-session-id': session },
  });
  const reader = stream.body!.getReader();
  t.equal(Buffer.from((await reader.read()).value!).toString(), eventComment);

  // Connects the official client with one of its two transports.
  const clientOf = async (Transport: typeof SSEClientTransport | typeof StreamableHTTPClientTransport) => {
    const made = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${access}` } };
    await made.connect(new Transport(new URL(base + endpoint), { requestInit }) as never);
    t.teardown(() => made.close());
    return made;
  };
  const newer = await clientOf(StreamableHTTPClientTransport);
  const older = await clientOf(SSEClientTransport);
  for (const one of [newer, older]) {
    t.equal((await one.listTools()).tools.length, tools.length);
    t.match((await one.callTool({ name: 'get_memories' })).structuredContent, { memories: [] });
  }
  await newer.close();

  t.match(await call('get_user_profile'), { profile: null });
  t.match(await call('get_conversations'), { conversations: [] });
  const { memory } = await call('create_memory', { content: 'Likes tea' });
  t.match(await call('search_memories', { query: 'tea' }), { memories: [{ id: memory.id }] });
  t.same(await call('edit_memory', { memory_id: memory.id, content: 'Likes coffee' }), { success: true });

  const [sidecar] = service.processes(' sidecar');
  process.kill(sidecar!, 'SIGKILL');
  await until(async () => {
    const [another] = service.processes(' sidecar');
    if (another === undefined || another === sidecar) return false;
    // Sends several requests, because a balancer sends them to different machines.
    const answers = await Promise.all([1, 2, 3, 4].map(() => fetch(`${base}/health/ready`)));
    return answers.every(({ status }) => status === 200);
  }, 'the supervisor has started another sidecar');
  t.match(await call('get_memories'), { memories: [{ content: 'Likes coffee' }] }, 'the session goes on');
  t.equal(await metric(service, 'event_streams_active'), 1, 'and so does the stream');
  await older.close();
  const again = await clientOf(SSEClientTransport);
  t.match((await again.callTool({ name: 'get_memories' })).structuredContent, {
    memories: [{ content: 'Likes coffee' }],
  });
  await again.close();

  t.same(await call('delete_memory', { memory_id: memory.id }), { success: true });
  t.match(await call('get_memories'), { memories: [] });
  t.match(await call('create_action_item', { description: 'Buy tea' }), { code: -32003 });

  const second = await client.refreshTokenGrant(begun.server, first.refresh_token!);
  access = second.access_token;
  t.match(await call('get_memories'), { memories: [] }, 'the session is that of the user, not of the token');
  await refusedWith(t, client.refreshTokenGrant(begun.server, first.refresh_token!), 'invalid_grant');
  const ended = await post(message('tools/list'), session);
  t.equal(ended.status, 401, 'a refresh token that came twice has ended the grant');
  t.match(ended.headers.get('www-authenticate'), /resource_metadata="[^"]+".*error="invalid_token"/);
  await refusedWith(t, client.refreshTokenGrant(begun.server, second.refresh_token!), 'invalid_grant');

  // This read resolves when the stream ends.
  const rest = reader.read();
  t.equal((await service.stop()).code, 0);
  let last = await rest;
  while (!last.done) last = await reader.read();
  t.ok(last.done, 'the stream ended in order');
});
