/**
 * Tests which data each scope opens. Calls every tool and route with a key of one scope, and searches the answers for
 * marks. Marks are unique words in stored records.
 */
import t, { type Test } from 'tap';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { type DeveloperScope, type McpScope, scopesOf } from '../../../src/identity/scopes.js';
import {
  dataKinds,
  developerScopeMeanings,
  developerScopeSentences,
  scopeMeanings,
  scopeSentences,
} from '../../../src/issuer/scope-sentences.js';
import type { Route } from '../../../src/sidecar/frame/route.js';
import { allTools } from '../../../src/sidecar/mcp/tools/all-tools.js';
import { allRoutes } from '../../../src/sidecar/routes.js';
import { createMcpKey } from '../../support/mcp-key.js';
import { startApi } from '../support.js';
import { common, type Kind, type Marked, markedUser, marksIn, marksOf } from './scope-data.js';
import { assistant, message } from './tool-support.js';

const searched = { query: common };

/** Arguments of the calls to each tool. */
const calls: Readonly<Record<string, (marked: Marked) => readonly object[]>> = {
  get_user_profile: () => [{}],
  get_goals: () => [{ include_inactive: true }],
  get_people: () => [{}],
  get_memories: () => [{ include_activity: true }],
  search_memories: () => [searched],
  create_memory: () => [{ content: 'New fact' }],
  edit_memory: ({ memory }) => [{ memory_id: memory, content: 'Other fact' }],
  delete_memory: ({ memory }) => [{ memory_id: memory }],
  get_conversations: () => [{}],
  search_conversations: () => [searched],
  get_conversation_by_id: ({ conversation }) => [{ conversation_id: conversation }],
  get_daily_summaries: () => [{}],
  get_action_items: () => [{}],
  search_action_items: () => [searched],
  create_action_item: () => [{ description: 'New task' }],
  complete_action_item: ({ task }) => [{ action_item_id: task }],
  update_action_item: ({ task }) => [{ action_item_id: task, due_at: '2026-04-01' }],
  delete_action_item: ({ task }) => [{ action_item_id: task }],
  get_x_posts: () => [{}],
  search_x_posts: () => [searched],
  get_chat_messages: () => [{}],
  get_screen_activity: () => [{}, { summary: true }],
  search: () => [searched],
  fetch: ({ memory, conversation, task }) => [
    { id: `memory:${memory}` },
    { id: `conversation:${conversation}` },
    { id: `action_item:${task}` },
  ],
};

/** Query parameters. Each request sends those that its route accepts. */
const queries = {
  query: common,
  include_transcript: 'true',
  include_inactive: 'true',
  include_activity: 'true',
  value: 'Other fact',
  current_value: '1',
};

const addressOf = ({ url, query }: Route, marked: Marked): string => {
  const [, , , of] = url.replace('/v1/dev/user', '/v1/dev').split('/');
  const ids: Record<string, string> = {
    memories: marked.memory,
    'action-items': marked.task,
    goals: marked.goal,
    conversations: marked.conversation,
  };
  const given = Object.entries(queries).filter(([name]) => name in (query?.shape ?? {}));
  return `${url.replace('{id}', ids[of!] ?? '')}?${new URLSearchParams(given)}`;
};

const isDeletion = ({ method }: Route): number => (method === 'DELETE' ? 1 : 0);

t.test('data that scopes open', async (t) => {
  const api = await startApi(t);
  const context = { sql: api.sql, settings: api.settings } as never;
  const tools = allTools(context);
  const routes = allRoutes(context).toSorted((one, other) => isDeletion(one) - isDeletion(other));

  /** Makes every request that a scope allows. The authorization matrix tests that all others are refused. */
  const requested = async (t: Test, scope: string, key: string, marked: Marked): Promise<string> => {
    let texts = '';
    for (const route of routes) {
      if (route.access.scope !== scope) continue;
      const { status, body } = await api.call(addressOf(route, marked), {
        method: route.method,
        credential: key,
        body: route.example?.body,
      });
      t.ok(status < 300, `${scope}: ${route.operationId} ${status} ${JSON.stringify(body)}`);
      texts += JSON.stringify(body);
    }
    return texts;
  };

  /** Makes every tool call that a scope allows. */
  const called = async (t: Test, scope: McpScope, marked: Marked): Promise<string> => {
    const one = await assistant(api, { uid: marked.uid, scopes: [scope], revision: '2025-11-25' });
    let texts = '';
    for (const { name, scopes } of tools) {
      if (!scopes.includes(scope)) continue;
      for (const given of calls[name]!(marked)) {
        const { body } = await one.send(message('tools/call', { name, arguments: given }));
        if (name !== 'fetch') t.ok(body.result, `${scope}: ${name} ${JSON.stringify(body)}`);
        texts += JSON.stringify(body);
      }
    }
    return texts;
  };

  /**
   * Compares found and declared marks. A scope for reading must return all declared marks. A scope for writing must
   * return no undeclared mark.
   */
  const compare = (t: Test, scope: string, texts: string, kinds: readonly Kind[]): void => {
    const found = marksIn(texts).sort();
    const declared = marksOf(kinds);
    if (scope.endsWith('read')) t.same(found, declared, scope);
    else
      t.same(
        found.filter((mark) => !declared.includes(mark)),
        [],
        scope,
      );
  };

  t.test('a scope of assistants opens exactly the data that the consent page names', async (t) => {
    t.same(Object.keys(calls).sort(), tools.map(({ name }) => name).sort(), 'every tool is called');
    t.same(Object.keys(scopeMeanings).sort(), scopesOf.mcp.toSorted());
    for (const scope of scopesOf.mcp as readonly McpScope[]) {
      const { opens } = scopeMeanings[scope];
      for (const kind of opens) t.ok(scopeSentences[scope]!.includes(dataKinds[kind]), `${scope}: ${kind}`);
      const [one, other] = [await markedUser(api), await markedUser(api)];
      const { key } = await createMcpKey(api.sql, api.settings, one.uid, [scope]);
      compare(t, scope, (await requested(t, scope, key, one)) + (await called(t, scope, other)), opens);
    }
  });

  t.test('a scope of developer keys opens exactly the data that the page of keys names', async (t) => {
    t.same(Object.keys(developerScopeMeanings).sort(), scopesOf.dev.toSorted());
    for (const scope of scopesOf.dev as readonly DeveloperScope[]) {
      const { opens } = developerScopeMeanings[scope];
      for (const kind of opens)
        t.ok(developerScopeSentences[scope]!.includes(dataKinds[kind]), `${scope}: ${kind}`);
      const marked = await markedUser(api);
      const made = { uid: marked.uid, name: 'test', scopes: [scope] };
      const { key } = await createApiKey(api.sql, api.settings, made);
      compare(t, scope, await requested(t, scope, key, marked), opens);
    }
  });

  t.test('answers contain data that needs several scopes only if the key has all of them', async (t) => {
    const marked = await markedUser(api);
    const both = await assistant(api, {
      uid: marked.uid,
      scopes: ['conversations.read', 'action_items.read', 'people.read'],
    });
    const { conversation } = await both.call('get_conversation_by_id', {
      conversation_id: marked.conversation,
    });
    t.match(conversation.structured.action_items, [{ description: /zzinner/ }]);
    const { people } = await both.call('get_people');
    t.match(people.find(({ name }: { name: string }) => name === 'zzspeaker').speech_sample_transcripts, [
      /zzsaid/,
    ]);
    const narrow = await assistant(api, { uid: marked.uid, scopes: ['people.read'] });
    for (const person of (await narrow.call('get_people')).people) {
      t.same(person.speech_sample_transcripts, [], 'the field remains, without samples');
    }
    const { key } = await createApiKey(api.sql, api.settings, {
      uid: marked.uid,
      name: 'test',
      scopes: ['conversations:read', 'action_items:read'],
    });
    // The first request checks the key in a separate statement. The second checks it in the statement that reads the data.
    for (const turn of ['first', 'second']) {
      const { body } = await api.call(`/v1/dev/user/conversations/${marked.conversation}`, {
        credential: key,
      });
      t.match(body.structured.action_items, [{ description: /zzinner/ }], turn);
    }
  });
});
