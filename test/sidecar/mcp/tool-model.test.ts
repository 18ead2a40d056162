/**
 * Runs 100 concurrent sessions with random users and calls, and compares the results with a model in memory. No user
 * sees or changes another user's row, and no write is lost.
 */
import fc from 'fast-check';
import t from 'tap';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { scopesOf } from '../../../src/identity/scopes.js';
import { createUser } from '../../../src/identity/users.js';
import { createFromSegments } from '../../../src/service/conversations/supplied-conversations.js';
import { rulesHere } from '../../../src/service/text/text-rules.js';
import { startApi } from '../support.js';
import { endpoint, message } from './tool-support.js';

const userCount = 10;
const sessions = 100;
const callsOfEach = 20;

/**
 * Kinds of rows that assistants write. Each has its tools, the argument for its id, its text field and its list's
 * name.
 */
const kinds = {
  memory: {
    create: 'create_memory',
    change: 'edit_memory',
    remove: 'delete_memory',
    list: 'get_memories',
    search: 'search_memories',
    id: 'memory_id',
    text: 'content',
    rows: 'memories',
  },
  action_item: {
    create: 'create_action_item',
    change: 'update_action_item',
    remove: 'delete_action_item',
    list: 'get_action_items',
    search: 'search_action_items',
    id: 'action_item_id',
    text: 'description',
    rows: 'action_items',
  },
} as const;
type Kind = keyof typeof kinds;

const call = fc.record({
  does: fc.oneof(
    { weight: 5, arbitrary: fc.constant('create' as const) },
    {
      weight: 9,
      arbitrary: fc.constantFrom(
        'change' as const,
        'remove' as const,
        'list' as const,
        'search' as const,
        'search all' as const,
        'conversations' as const,
        'reach for' as const,
        'reach for' as const,
        'use the session of' as const,
      ),
    },
  ),
  kind: fc.constantFrom<Kind>('memory', 'action_item'),
  which: fc.nat(),
});
const plan = fc.record({
  user: fc.nat(userCount - 1),
  calls: fc.array(call, { minLength: callsOfEach, maxLength: callsOfEach }),
});

/** A row that the model expects. */
interface Row {
  readonly id: string;
  readonly kind: Kind;
  readonly user: number;
  text: string;
  removed: boolean;
}

t.test('concurrent sessions of several users return only their own rows', async (t) => {
  const api = await startApi(t);
  const people = await Promise.all(
    Array.from({ length: userCount }, async (_, user) => {
      const { uid } = await createUser(api.sql, { uid: `model-${user}` });
      const { key } = await createApiKey(api.sql, api.settings, {
        uid,
        name: 'test',
        family: 'mcp',
        scopes: scopesOf.mcp as never,
      });
      const text = `The garden plan of gardener${user} has beds.`;
      const segments = [{ text, start: 0, end: 4, is_user: true }];
      const { id } = await createFromSegments(api.sql, rulesHere, uid, {
        transcript_segments: segments,
        source: 'phone',
      });
      // `texts` has every text that the user's sessions have written. A list may contain any of them, because sessions
      // write concurrently.
      return { key, conversation: id, texts: new Set<string>() };
    }),
  );
  const rows: Row[] = [];
  let answered = 0;

  const run = async (
    given: { user: number; calls: readonly { does: string; kind: Kind; which: number }[] },
    own: number,
    ids: string[],
  ) => {
    const { user } = given;
    const { key, conversation, texts } = people[user]!;
    const send = (body: object, session: string) =>
      api.call(endpoint, { credential: key, body, headers: { 'mcp-session-id': session } });
    const opened = await api.call(endpoint, { credential: key, body: message('initialize') });
    const session = opened.headers.get('mcp-session-id')!;
    ids[own] = session;
    // Rows that this session has written. No other session changes them, so the model knows their content.
    const written: Row[] = [];
    const ask = async (name: string, more: object = {}) => {
      const id = `${own}-${++answered}`;
      const { body } = await send(message('tools/call', { name, arguments: more }, id), session);
      if (body.id !== id) throw new Error(`${id} was answered with ${JSON.stringify(body)}`);
      return body.error ?? JSON.parse(body.result.content[0].text);
    };
    const mine = (found: readonly Record<string, string>[], text: string): void => {
      for (const row of found) {
        if (!texts.has(row[text]!)) throw new Error(`user ${user} was shown ${JSON.stringify(row)}`);
      }
    };
    for (const [number, { does, kind, which }] of given.calls.entries()) {
      const tool = kinds[kind];
      const text = `garden work ${own}.${number}`;
      const row = written.filter((one) => one.kind === kind && !one.removed)[which % 3];
      if (does === 'create') {
        texts.add(text);
        const made = await ask(tool.create, { [tool.text]: text });
        const added = { id: (made.memory ?? made.action_item).id, kind, user, text, removed: false };
        written.push(added);
        rows.push(added);
      } else if (does === 'change' && row) {
        texts.add(text);
        t.equal((await ask(tool.change, { [tool.id]: row.id, [tool.text]: text })).success, true);
        row.text = text;
      } else if (does === 'remove' && row) {
        t.equal((await ask(tool.remove, { [tool.id]: row.id })).success, true);
        row.removed = true;
      } else if (does === 'search') {
        mine((await ask(tool.search, { query: 'garden work' }))[tool.rows], tool.text);
      } else if (does === 'search all') {
        for (const { id, text } of (await ask('search', { query: 'garden' })).results) {
          if (id !== `conversation:${conversation}`) mine([{ text }], 'text');
        }
      } else if (does === 'conversations') {
        const found = (await ask('get_conversations')).conversations.map(({ id }: { id: string }) => id);
        t.same(found, [conversation]);
      } else if (does === 'reach for') {
        const foreign = rows.filter((one) => one.user !== user)[which % Math.max(1, rows.length >> 1)];
        const other = people[(user + 1 + (which % (userCount - 1))) % userCount]!;
        const refusals = [
          foreign &&
            (await ask(kinds[foreign.kind].change, {
              [kinds[foreign.kind].id]: foreign.id,
              [kinds[foreign.kind].text]: text,
            })),
          foreign &&
            (await ask(which % 2 ? 'fetch' : kinds[foreign.kind].remove, {
              id: `${foreign.kind}:${foreign.id}`,
              [kinds[foreign.kind].id]: foreign.id,
            })),
          await ask('get_conversation_by_id', { conversation_id: other.conversation }),
        ];
        for (const refusal of refusals) if (refusal) t.equal(refusal.code, -32001);
      } else if (does === 'use the session of') {
        const other = which % sessions;
        if (ids[other] === undefined) continue;
        const { status } = await send(message('tools/list'), ids[other]);
        t.equal(status, plans[other]!.user === user ? 200 : 404);
      } else {
        mine((await ask(tool.list, { limit: 500 }))[tool.rows], tool.text);
      }
    }
  };

  let plans: readonly { readonly user: number }[] = [];
  const property = fc.asyncProperty(
    fc.array(plan, { minLength: sessions, maxLength: sessions }),
    async (given) => {
      plans = given;
      const ids: string[] = [];
      await Promise.all(given.map((one, own) => run(one, own, ids)));
      for (const [user, { key }] of people.entries()) {
        const opened = await api.call(endpoint, { credential: key, body: message('initialize') });
        const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
        for (const [kind, { list, rows: member, text }] of Object.entries(kinds)) {
          const body = message('tools/call', { name: list, arguments: { limit: 500 } });
          const { result } = (await api.call(endpoint, { credential: key, body, headers })).body;
          const found = JSON.parse(result.content[0].text)[member] as Record<string, string>[];
          const wanted = rows.filter((row) => row.user === user && row.kind === kind && !row.removed);
          t.same(
            found.map((row) => [row.id!, row[text]!]).sort(),
            wanted.map((row) => [row.id, row.text]).sort(),
            `rows of user ${user}`,
          );
        }
      }
    },
  );
  // One run makes 2,000 calls. Failures cannot be shrunk, because the sessions run concurrently.
  await fc.assert(property, { numRuns: 1, endOnFailure: true });
  t.comment(`${answered} calls`);
});
