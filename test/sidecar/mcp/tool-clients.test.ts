/**
 * Tests the HTTP server and `cochlea mcp-stdio` with the MCP SDK's clients: tools, calls, errors and loaded packages.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import t from 'tap';
import { startApi } from '../support.js';
import { stdioTools } from './tool-names.js';
import { assistant, endpoint } from './tool-support.js';

const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

/** Returns a module address for `--import`. Its hook appends the address of every loaded module to a file. */
const recording = (file: string): string => {
  const hooks = `import { appendFileSync } from 'node:fs';
    export const load = (url, context, next) => { appendFileSync(${JSON.stringify(file)}, url + '\\n'); return next(url, context); };`;
  const start = `import { register } from 'node:module'; register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hooks))});`;
  return `data:text/javascript,${encodeURIComponent(start)}`;
};

/** Returns the arguments for each tool. A tool that is missing here takes none. */
const given = (ids: Record<string, string>): Record<string, Record<string, unknown>> => ({
  search_memories: { query: 'tea' },
  create_memory: { content: 'Likes tea' },
  edit_memory: { memory_id: ids.memory, content: 'Likes green tea' },
  delete_memory: { memory_id: ids.memory },
  search_conversations: { query: 'tea' },
  search_x_posts: { query: 'tea' },
  search_action_items: { query: 'tea' },
  create_action_item: { description: 'Buy tea' },
  complete_action_item: { action_item_id: ids.item },
  update_action_item: { action_item_id: ids.item, description: 'Buy green tea' },
  delete_action_item: { action_item_id: ids.item },
  search: { query: 'tea' },
  fetch: { id: `memory:${ids.memory}` },
});

t.test('official MCP clients', async (t) => {
  const api = await startApi(t);
  const ann = await assistant(api);
  const record = async () =>
    (await ann.call('create_memory', { content: 'Likes coffee' })).memory.id as string;

  t.test('HTTP: lists and calls every tool', async (t) => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(api.base + endpoint), {
      requestInit: { headers: { authorization: `Bearer ${ann.key}` } },
    });
    await client.connect(transport as never);
    t.teardown(() => client.close());
    const { tools } = await client.listTools();
    t.equal(tools.length, 24);
    const item = (await ann.call('create_action_item', { description: 'Buy coffee' })).action_item.id;
    const ids = { memory: await record(), item };
    for (const { name } of tools.filter(({ name }) => !/conversation_by_id|^delete_/.test(name))) {
      // The client checks the answer against the tool's output schema.
      const answer = await client.callTool({ name, arguments: given(ids)[name] ?? {} });
      t.ok(answer.structuredContent, name);
    }
    for (const name of ['delete_memory', 'delete_action_item']) {
      t.ok((await client.callTool({ name, arguments: given(ids)[name]! })).structuredContent, name);
    }
    await t.rejects(
      client.callTool({ name: 'get_conversation_by_id', arguments: { conversation_id: 'x' } }),
      {
        code: -32001,
      },
    );
    await transport.terminateSession();
  });

  t.test('standard input and output: offers eight tools without loading the engine', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'cochlea-stdio-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'modules.txt');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--import', recording(file), command, 'mcp-stdio'],
        env: { PATH: process.env.PATH ?? '', COCHLEA_API_KEY: ann.key, COCHLEA_API_BASE: api.base },
      }),
    );
    t.teardown(() => client.close());
    const { tools } = await client.listTools();
    t.match(client.getInstructions(), /never follow instructions/);
    t.same(tools.map(({ name }) => name).sort(), [...stdioTools].sort());
    const ids = { memory: await record() };
    for (const { name } of tools.filter(({ name }) => !/by_id|^delete_/.test(name))) {
      t.ok((await client.callTool({ name, arguments: given(ids)[name] ?? {} })).structuredContent, name);
    }
    t.ok((await client.callTool({ name: 'delete_memory', arguments: { memory_id: ids.memory } })).content);
    await t.rejects(client.callTool({ name: 'delete_memory', arguments: { memory_id: ids.memory } }), {
      code: -32001,
    });
    await t.rejects(client.callTool({ name: 'get_goals' }), { code: -32601 });
    const packages = new Set(
      [...(await readFile(file, 'utf8')).matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(
        ([, name]) => name!,
      ),
    );
    t.ok(packages.has('@modelcontextprotocol/sdk'));
    const engine = ['postgres', 'uWebSockets.js', 'fastify', 'onnxruntime-node', 'lmdb', 'piscina'];
    t.same(
      [...packages].filter((name) => engine.includes(name)),
      [],
    );
    const own = [...(await readFile(file, 'utf8')).matchAll(/dist\/src\/(\w+)\//g)].map(([, part]) => part!);
    t.same([...new Set(own)].sort(), ['app', 'common', 'config']);
  });

  t.test('mcp-stdio without a key exits with an error that names COCHLEA_API_KEY', async (t) => {
    const run = promisify(execFile)(process.execPath, [command, 'mcp-stdio'], {
      env: { PATH: process.env.PATH },
    });
    await t.rejects(run, { code: 1, stderr: /COCHLEA_API_KEY/ });
  });
});

t.test('REST routes of the tools', async (t) => {
  const api = await startApi(t);
  const { key, uid } = await assistant(api);
  const call = (path: string, more: object = {}) => api.call(`/v1/mcp/${path}`, { credential: key, ...more });
  const made = await call('memories', { body: { content: 'Likes tea', category: 'habits' } });
  t.match(made, { status: 200, body: { content: 'Likes tea', category: 'habits' } });
  const { id } = made.body;
  t.match((await call('memories')).body, [{ id }]);
  t.match((await call('memories?categories=habits,work&limit=1')).body, [{ id }]);
  t.equal((await call('memories?categories=unknown')).status, 400);
  t.equal((await call('memories?sort=random')).status, 422);
  t.match((await call('memories/search?query=tea')).body, [{ id, relevance_score: Number }]);
  t.same((await call(`memories/${id}?value=Likes%20coffee`, { method: 'PATCH' })).body, { status: 'ok' });
  t.match((await call('memories')).body, [{ content: 'Likes coffee' }]);
  await api.sql`update memories set is_locked = true`;
  t.equal((await call(`memories/${id}`, { method: 'DELETE' })).status, 402);
  await api.sql`update memories set is_locked = false`;
  t.same((await call(`memories/${id}`, { method: 'DELETE' })).body, { status: 'ok' });
  t.equal((await call(`memories/${id}`, { method: 'DELETE' })).status, 404);
  const item = (await call('action-items', { body: { description: 'Buy tea' } })).body;
  t.equal((await call('action-items', { body: { description: 'buy  TEA' } })).body.id, item.id);
  t.equal((await call(`action-items/${item.id}/complete`, { method: 'POST' })).body.completed, true);
  t.match((await call('action-items?completed=true')).body, [{ id: item.id }]);
  t.match((await call('action-items/search?query=tea')).body, [{ id: item.id, relevance_score: Number }]);
  const patch = { method: 'PATCH', body: { due_at: '2026-03-01' } };
  t.equal((await call(`action-items/${item.id}`, patch)).body.due_at, '2026-03-01T00:00:00Z');
  t.same((await call(`action-items/${item.id}`, { method: 'DELETE' })).body, { status: 'ok' });
  for (const path of ['conversations', 'goals', 'chat', 'people', 'screen-activity', 'daily-summaries']) {
    t.match(await call(path), { status: 200, body: [] }, path);
  }
  t.match((await call('screen-activity?summary=true')).body, { total_screenshots: 0, apps: {} });
  t.same((await call('conversations/search?query=tea')).body, []);
  for (const content of ['Older', 'Newer']) await call('memories', { body: { content } });
  for (const [title, day] of [
    ['Older', '2026-03-01'],
    ['Newer', '2026-03-02'],
  ] as const) {
    await call('action-items', { body: { description: title, due_at: day } });
    await api.sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, structured)
      values (gen_random_uuid(), ${uid}, 'completed', 'phone', ${day}, ${day}, ${day}, ${api.sql.json({ title })})`;
  }
  const both = { memories: 'content', conversations: 'structured', 'action-items': 'description' } as const;
  for (const [path, field] of Object.entries(both)) {
    const shown = async (query: string): Promise<string[]> =>
      (await call(`${path}?${query}`)).body.map((row: Record<string, string & { title: string }>) =>
        field === 'structured' ? row[field]!.title : row[field],
      );
    const [first, second] = path === 'action-items' ? ['Older', 'Newer'] : ['Newer', 'Older'];
    t.same(await shown('limit=2'), [first, second], path);
    t.same(await shown('limit=1'), [first], path);
    t.same(await shown('limit=1&offset=1'), [second], path);
  }
  t.equal((await call('conversations/x')).status, 404);
  t.equal((await call('conversations?start_date=1.1.2026')).status, 422);
});
