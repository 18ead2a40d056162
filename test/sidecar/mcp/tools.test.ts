/** Tests arguments, answers and refusals of the tools for assistants. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { scopesOf } from '../../../src/identity/scopes.js';
import { createMemories } from '../../../src/service/records/memories.js';
import { allTools } from '../../../src/sidecar/mcp/tools/all-tools.js';
import { startApi } from '../support.js';
import { contractTools } from './tool-names.js';
import { orderTests } from './tool-orders.js';
import { recordTests } from './tool-records.js';
import { refusedArguments } from './tool-refusals.js';
import { type Assistant, assistant, endpoint, message } from './tool-support.js';

t.test('tools of assistants', async (t) => {
  const api = await startApi(t);
  const { sql } = api;
  const ann = await assistant(api);
  const listed = async (who: Assistant) => (await who.send(message('tools/list'))).body.result.tools;

  t.test('lists every tool, and the tools `search` and `fetch`', async (t) => {
    const tools = await listed(ann);
    t.same(
      tools.map(({ name }: { name: string }) => name).sort(),
      [...contractTools, 'search', 'fetch'].sort(),
    );
    for (const { description, inputSchema, annotations, securitySchemes, title } of tools) {
      t.ok(description);
      t.equal(inputSchema.type, 'object');
      t.equal(annotations.openWorldHint, false);
      t.equal(securitySchemes[0].type, 'oauth2');
      t.equal(title, undefined, 'this revision has no titles');
    }
    const newer = await assistant(api, { revision: '2025-06-18' });
    for (const { name, title, outputSchema } of await listed(newer)) {
      t.ok(title, name);
      t.equal(outputSchema.type, 'object', name);
    }
    const { inputSchema } = tools.find(({ name }: { name: string }) => name === 'create_action_item');
    t.same(inputSchema.required, ['description']);
    t.same(Object.keys(inputSchema.properties), ['description', 'due_at', 'completed']);
    t.same(
      Object.fromEntries(
        tools
          .map(
            ({ name, inputSchema }: { name: string; inputSchema: { properties?: { limit?: object } } }) => [
              name,
              (inputSchema.properties?.limit as { default?: number } | undefined)?.default,
            ],
          )
          .filter(([, usual]: [string, number?]) => usual !== undefined),
      ),
      {
        get_memories: 100,
        search_memories: 10,
        get_conversations: 20,
        search_conversations: 10,
        get_x_posts: 50,
        search_x_posts: 10,
        get_chat_messages: 50,
        get_screen_activity: 200,
        get_daily_summaries: 30,
        get_action_items: 100,
        search_action_items: 10,
      },
      'default number of rows',
    );
  });

  t.test('lists only the tools that the scopes allow, and refuses calls to others', async (t) => {
    const tools = allTools({ sql, settings: api.settings } as never);
    for (const scope of scopesOf.mcp as readonly (typeof tools)[number]['scopes'][number][]) {
      const one = await assistant(api, { scopes: [scope] });
      const allowed = tools.filter(({ scopes }) => scopes.includes(scope)).map(({ name }) => name);
      t.same(
        (await listed(one)).map(({ name }: { name: string }) => name),
        allowed,
        scope,
      );
      const other = tools.find(({ scopes }) => !scopes.includes(scope))!;
      const { body } = await one.send(message('tools/call', { name: other.name, arguments: {} }));
      t.equal(body.error.code, -32003);
      t.match(body.error.data._meta['mcp/www_authenticate'][0], new RegExp(`scope="${other.scopes[0]}"`));
    }
    const none = await assistant(api, { scopes: [] });
    t.same(await listed(none), []);
  });

  t.test('refuses unknown tools, names of prototype members and wrong arguments', async (t) => {
    for (const tool of ['get_everything', '__proto__', 'constructor', 'toString', '']) {
      t.equal(await ann.refused(tool), -32601, tool);
    }
    for (const [tool, given] of refusedArguments) {
      t.equal(
        await ann.refused(tool, given as object),
        -32602,
        `${tool} ${JSON.stringify(given)?.slice(0, 60)}`,
      );
    }
    const { body } = await ann.send(message('tools/call', { arguments: {} }));
    t.equal(body.error.code, -32602, 'a call must name a tool');
  });

  t.test('every argument must have its type, and numbers are moved into their range', async (t) => {
    const one = await assistant(api);
    const tools = await listed(one);
    type Schema = { type?: string; anyOf?: { type: string }[] };
    const wrong: Record<string, unknown[]> = {
      string: [7, true, {}, ['x']],
      integer: ['many', '1e', true, {}, [1], 0.5],
      boolean: ['perhaps', 7, {}, [true]],
      array: [7, true, {}, [7], [{}], ['no such word']],
    };
    const usable: Record<string, unknown> = { query: 'x', content: 'x', description: 'x' };
    let refused = 0;
    for (const { name, inputSchema } of tools) {
      const properties = Object.entries<Schema>(inputSchema.properties ?? {});
      const needed = Object.fromEntries(
        (inputSchema.required ?? []).map((argument: string) => [argument, usable[argument] ?? randomUUID()]),
      );
      for (const [argument, { type, anyOf }] of properties) {
        for (const value of wrong[type ?? anyOf![0]!.type]!) {
          const given = { ...needed, [argument]: value };
          const { body } = await one.send(message('tools/call', { name, arguments: given }));
          const shown = `${name} ${argument}: ${JSON.stringify(value)}`;
          t.equal(body.error?.code, -32602, shown);
          t.ok(body.error?.message.includes(argument), `${shown} is named in the error`);
          refused++;
        }
        if (argument !== 'limit' && argument !== 'offset') continue;
        for (const value of ['20', 0, -5, 1e9, '-1', 1e300]) {
          const { body } = await one.send(
            message('tools/call', { name, arguments: { ...needed, [argument]: value } }),
          );
          t.ok(body.result, `${name} ${argument}: ${value} is moved into its range`);
        }
      }
    }
    t.ok(refused > 200, `${refused} refused values`);
  });

  t.test('missing records and records of other users are answered "not found"', async (t) => {
    const ben = await assistant(api);
    const [memory] = await createMemories(sql, ben.uid, 'tools', [{ content: 'Ben likes tea' }]);
    const { action_item: item } = await ben.call('create_action_item', { description: 'Water plants' });
    for (const id of [randomUUID(), 'x', memory!.id, item.id]) {
      t.equal(await ann.refused('edit_memory', { memory_id: id, content: 'x' }), -32001);
      t.equal(await ann.refused('delete_memory', { memory_id: id }), -32001);
      t.equal(await ann.refused('get_conversation_by_id', { conversation_id: id }), -32001);
      t.equal(await ann.refused('complete_action_item', { action_item_id: id }), -32001);
      t.equal(await ann.refused('update_action_item', { action_item_id: id, description: 'x' }), -32001);
      t.equal(await ann.refused('delete_action_item', { action_item_id: id }), -32001);
      for (const kind of ['memory', 'conversation', 'action_item', 'other', '__proto__']) {
        t.equal(await ann.refused('fetch', { id: `${kind}:${id}` }), -32001);
      }
    }
  });

  recordTests(t, api);
  orderTests(t, api);

  t.test('long texts of an answer are shortened to fit together', async (t) => {
    const one = await assistant(api);
    const rows = (table: string, columns: string, values: string, count: number) =>
      sql.unsafe(
        `insert into ${table} (uid, created_at, ${columns})
         select $1, now() - make_interval(secs => n), ${values} from generate_series(1, ${count}) as n`,
        [one.uid],
      );
    const long = `repeat('🌱', 10000)`;
    await rows('chat_messages', 'id, sender, type, text', `'m' || n, 'human', 'text', ${long}`, 200);
    await rows('posts', 'id, kind, text', `'p' || n, 'tweet', ${long}`, 200);
    await rows(
      'daily_summaries',
      'id, headline, overview',
      `to_char(date '2026-01-01' + n, 'YYYY-MM-DD'), 'A', ${long}`,
      100,
    );
    await rows(
      'screen_activity',
      'id, app_name, window_title',
      `'s' || n, 'app ' || n % 200, n || repeat('🌱', 490)`,
      4000,
    );
    const lengths = (texts: readonly string[]) => [...new Set(texts.map((text) => [...text].length))];
    for (const [tool, given, member, field, count, length] of [
      ['get_chat_messages', { limit: 200 }, 'messages', 'text', 200, 2503],
      ['get_chat_messages', {}, 'messages', 'text', 50, 10_000],
      ['get_x_posts', { limit: 200 }, 'posts', 'text', 200, 2503],
      ['get_daily_summaries', { limit: 100 }, 'daily_summaries', 'overview', 100, 5003],
    ] as const) {
      const found: Record<string, string>[] = (await one.call(tool, given))[member];
      t.equal(found.length, count, tool);
      t.same(lengths(found.map((row) => row[field]!)), [length], tool);
    }
    const { apps } = await one.call('get_screen_activity', { summary: true });
    const titles = Object.values<{ window_titles: string[] }>(apps).flatMap(
      ({ window_titles }) => window_titles,
    );
    t.equal(titles.length, 4000);
    t.same(lengths(titles), [128]);
  });

  t.test('revisions from 2025-06-18 add structuredContent to the text', async (t) => {
    const newer = await assistant(api, { revision: '2025-11-25' });
    const { body } = await newer.send(message('tools/call', { name: 'get_goals' }));
    t.same(body.result.structuredContent, JSON.parse(body.result.content[0].text));
    const older = await ann.send(message('tools/call', { name: 'get_goals' }));
    t.notOk('structuredContent' in older.body.result);
  });

  t.test('rate limits of routes also apply to tools', async (t) => {
    const one = await assistant(api);
    await one.call('create_memory', { content: 'x' });
    await sql`update rate_windows set used = 60000 where subject = ${one.uid} and policy = 'memories:create'`;
    t.equal(await one.refused('create_memory', { content: 'y' }), -32009);
    t.equal((await one.call('get_memories')).returned_count, 1, 'reading is allowed');
  });

  t.test('every tool that changes data has a write scope and a rate limit', async (t) => {
    for (const { name, effect, scopes, limits = [] } of allTools({ sql, settings: api.settings } as never)) {
      const reads = effect === 'read';
      for (const scope of scopes) t.ok(scope.endsWith(reads ? '.read' : '.write'), `${name}: ${scope}`);
      t.equal(limits.length > 0, !reads, `${name} has limits`);
    }
  });

  t.test('a revoked key is refused at once', async (t) => {
    const one = await assistant(api);
    await sql`update api_keys set revoked_at = now() where uid = ${one.uid}`;
    const answer = await api.call(endpoint, { credential: one.key, body: message('ping') });
    t.equal(answer.status, 401);
    t.match(answer.headers.get('www-authenticate'), /invalid_token/);
  });
});
