/**
 * Tests the rows, order and fields of assistants' lists for each parameter. Reads each list by its tool and by its
 * REST route.
 */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import t, { type Test } from 'tap';
import type { McpScope } from '../../../src/identity/scopes.js';
import { startApi } from '../support.js';
import { type Assistant, assistant, message } from './tool-support.js';

/** Parameters of a list, and the expected names of its rows. Spaces separate the names. */
type Case = readonly [given: Readonly<Record<string, unknown>>, names: string];

/** Returns a UUID that ends with the number, so that ids sort by number. */
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const words = (names: string): string[] => names.split(' ').filter((name) => name !== '');

/** The part of an output schema that these tests read. */
interface Declared {
  readonly properties?: Readonly<Record<string, Declared>>;
  readonly items?: Declared;
}

const validator = new AjvJsonSchemaValidator();

t.test('lists that assistants read', async (t) => {
  const api = await startApi(t);
  const { sql } = api;

  const { send } = await assistant(api, { revision: '2025-11-25' });
  const tools: { name: string; outputSchema: Declared }[] = (await send(message('tools/list'))).body.result
    .tools;
  const schemaOf = new Map(tools.map(({ name, outputSchema }) => [name, outputSchema]));

  /** Checks that an answer matches its tool's output schema and has no undeclared field. */
  const isDeclared = (t: Test, tool: string, answer: Record<string, unknown>): void => {
    const declared = schemaOf.get(tool)!;
    const { valid, errorMessage } = validator.getValidator(declared as never)(answer);
    t.ok(valid, `${tool}: ${errorMessage}`);
    for (const [member, value] of Object.entries(answer)) {
      const fields = declared.properties?.[member]?.items?.properties;
      t.ok(declared.properties?.[member], `${tool} declares ${member}`);
      if (Array.isArray(value) && fields)
        for (const row of value)
          t.same(
            Object.keys(row).filter((name) => !(name in fields)),
            [],
            `${tool} declares the fields of ${member}`,
          );
    }
  };

  /** Calls a tool and its REST route, and checks that both return the same rows. Returns the tool's rows and answer. */
  const readBoth = async (
    t: Test,
    { call, key }: Assistant,
    [tool, path, member]: readonly string[],
    given: Case[0],
  ): Promise<{ rows: Record<string, unknown>[]; answer: Record<string, unknown> }> => {
    const answer = await call(tool!, given);
    isDeclared(t, tool!, answer);
    const query = new URLSearchParams(
      Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const { status, body } = await api.call(`/v1/mcp/${path}?${query}`, { credential: key });
    t.equal(status, 200, JSON.stringify(body));
    const rows: Record<string, unknown>[] = answer[member!];
    t.same(
      body.map(({ id }: { id: string }) => id),
      rows.map(({ id }) => id),
      `${path}?${query} returns the rows of ${tool}`,
    );
    return { rows, answer };
  };

  const selects = async (
    t: Test,
    one: Assistant,
    what: readonly string[],
    nameOf: (row: never) => unknown,
    cases: readonly Case[],
  ): Promise<void> => {
    for (const [given, names] of cases) {
      const { rows } = await readBoth(t, one, what, given);
      t.same(rows.map(nameOf as never), words(names), `${what[0]} ${JSON.stringify(given)}`);
    }
  };

  await t.test('get_memories', async (t) => {
    const one = await assistant(api);
    const other = await assistant(api);
    let rows = 0;
    const store = (content: string, more: object = {}, uid = one.uid) => sql`
      insert into memories ${sql({
        ...{ id: idOf(++rows), uid, content, category: 'core', visibility: 'private', tags: [] },
        ...{ manually_added: false, reviewed: true, user_review: null, scoring: '00_999' },
        ...{ created_at: '2026-01-05', updated_at: '2026-03-03T12:00:00Z' },
        ...more,
      } as never)}`;
    const updated = (day: number): string => `2026-03-0${day}T12:00:00Z`;
    await store('a', { created_at: '2026-01-01', updated_at: updated(6), scoring: '00_998' });
    const b = { category: 'lifestyle', manually_added: true, scoring: '01_999' };
    await store('b', { ...b, created_at: '2026-01-02', updated_at: updated(1) });
    const c = { reviewed: false, tags: ['x', 'Sensitive'] };
    await store('c', { ...c, created_at: '2026-01-03', updated_at: updated(5) });
    const d = { category: 'work', manually_added: true, reviewed: false, scoring: '01_998' };
    await store('d', { ...d, created_at: '2026-01-04', updated_at: updated(2) });
    await store('e', { category: 'system' });
    await store('f', { category: 'other', reviewed: false });
    await store('rejected', { user_review: false });
    await store('superseded', { invalid_at: '2026-03-03' });
    await store('foreign', {}, other.uid);

    const memories = ['get_memories', 'memories', 'memories'];
    const content = (row: { content: string }): string => row.content;
    await selects(t, one, memories, content, [
      [{}, 'f e d c b a'],
      [{ sort: 'created_desc' }, 'f e d c b a'],
      [{ sort: 'updated_desc' }, 'a c f e d b'],
      [{ sort: 'manual_first' }, 'd b a c f e'],
      [{ sort: 'scoring_desc' }, 'b d f e c a'],
      [{ reviewed: true }, 'e b a'],
      [{ reviewed: false }, 'f d c'],
      [{ manually_added: true }, 'd b'],
      [{ manually_added: false }, 'f e c a'],
      [{ reviewed: false, manually_added: false }, 'f c'],
      [{ updated_after: '2026-03-03T12:00:00Z' }, 'c a'],
      [{ updated_after: '2026-03-03T11:59:59.999Z' }, 'f e c a'],
      [{ updated_after: '2026-03-06' }, 'a'],
      [{ categories: ['work'] }, 'd'],
      [{ categories: ['core', 'lifestyle'] }, 'c b a'],
      [{ categories: ['other'] }, 'f e'],
      [{ categories: ['skills'] }, ''],
      [{ categories: [] }, 'f e d c b a'],
      [{ include_sensitive: false }, 'f e d b a'],
      [{ include_sensitive: true }, 'f e d c b a'],
      [{ limit: 2 }, 'f e'],
      [{ limit: 2, offset: 1 }, 'e d'],
      [{ limit: 6, offset: 4 }, 'b a'],
      [{ offset: 5, sort: 'updated_desc' }, 'b'],
    ]);

    await t.test(
      'get_memories omits memories of screen activity unless `include_activity` is true',
      async (t) => {
        const screen = await assistant(api);
        const tags = [
          'activity',
          'focus',
          'screen',
          'screen_activity',
          'rewind',
          'distraction',
          'DISTRACTED',
        ];
        for (const tag of tags) await store(`tag ${tag}`, { tags: ['x', tag] }, screen.uid);
        const contents = ['Focused on a', 'distracted on b', 'VIEWING c'];
        for (const text of contents) await store(text, {}, screen.uid);
        const shown = ['Viewings of flats', 'Was focused on a'];
        await store(shown[1]!, { tags: ['screens'] }, screen.uid);
        await store(shown[0]!, {}, screen.uid);
        const hidden = [...tags.map((tag) => `tag ${tag}`), ...contents].reverse();
        for (const [given, expected] of [
          [{}, shown],
          [{ include_activity: false }, shown],
          [{ include_activity: true }, [...shown, ...hidden]],
        ] as const) {
          const { rows } = await readBoth(t, screen, memories, given);
          t.same(rows.map(content as never), expected, JSON.stringify(given));
        }
      },
    );

    await t.test('get_memories returns the parameters in effect', async (t) => {
      const usual = {
        ...{ returned_count: 6, has_more: false, offset: 0, limit: 100, sort: 'created_desc' },
        ...{ include_activity: false, include_sensitive: true },
      };
      for (const [given, more] of [
        [{}, {}],
        [{ limit: 5 }, { limit: 5, returned_count: 5, has_more: true }],
        [{ limit: 6 }, { limit: 6 }],
        [{ limit: 501 }, { limit: 500 }],
        [
          { limit: 2, offset: 4 },
          { limit: 2, offset: 4, returned_count: 2 },
        ],
        [
          { sort: 'manual_first', include_activity: true },
          { sort: 'manual_first', include_activity: true },
        ],
        [{ include_sensitive: false }, { include_sensitive: false, returned_count: 5 }],
      ] as const) {
        const { memories: found, ...answer } = await one.call('get_memories', given);
        t.same(answer, { ...usual, ...more }, JSON.stringify(given));
        t.equal(found.length, answer.returned_count);
      }
      const { memories: found } = await one.call('get_memories', { limit: 1, offset: 2 });
      t.same(found, [
        {
          ...{ id: idOf(4), content: 'd', category: 'work', visibility: 'private', tags: [] },
          ...{ created_at: '2026-01-04T00:00:00Z', updated_at: '2026-03-02T12:00:00Z', manually_added: true },
          ...{ reviewed: false, user_review: null, edited: false, scoring: '01_998' },
        },
      ]);
    });
  });

  let conversations = 100;
  /** Stores a conversation with one segment, and returns its id. */
  const conversation = async (uid: string, more: object = {}, text = 'Nothing.'): Promise<string> => {
    const id = idOf(++conversations);
    await sql`
      insert into conversations ${sql({
        ...{ id, uid, status: 'completed', source: 'phone', language: 'en', structured: { title: 'Garden' } },
        ...{ created_at: '2026-04-01', last_speech_at: '2026-04-01' },
        ...more,
      } as never)}`;
    await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
      values (${`${id} 0`}, ${id}, 0, 1, ${text}, 'SPEAKER_03', 3, false, 1.5, 2.5)`;
    return id;
  };
  const task = { description: 'Water the plants', completed: false };
  const event = { title: 'Harvest', start: '2026-05-01T10:00:00Z', duration: 30 };
  const whole = {
    ...{ title: 'Garden', overview: 'Beds.', emoji: '🌱', category: 'family' },
    ...{ action_items: [task], events: [event] },
  };
  /** Stores conversations that lists must omit: unfinished, discarded and deleted ones, and one of another user. */
  const storeHidden = async (uid: string, other: string): Promise<void> => {
    await conversation(uid, { status: 'in_progress' });
    await conversation(uid, { discarded: true });
    await conversation(uid, { deleted_at: '2026-04-02' });
    await conversation(other);
  };
  const reading: readonly McpScope[] = ['conversations.read'];

  await t.test('search_conversations', async (t) => {
    const one = await assistant(api);
    const other = await assistant(api);
    const titled = (title: string) => ({ structured: { title, category: 'family' } });
    const names = new Map<string, string>();
    const store = async (name: string, more: object, text?: string): Promise<void> => {
      names.set(await conversation(one.uid, more, text), name);
    };
    await store('a', { ...titled('Garden'), started_at: '2026-03-01T00:00:00Z' });
    await store('b', { ...titled('Garden rhubarb'), started_at: '2026-03-01T23:59:59.999Z' });
    await store('c', { ...titled('Garden rhubarb quince'), started_at: '2026-03-02T12:00:00Z' });
    await store('d', { structured: whole, created_at: '2026-03-04T08:00:00Z' }, 'We dug the garden.');
    await storeHidden(one.uid, other.uid);

    const found = ['search_conversations', 'conversations/search', 'conversations'];
    const name = ({ id }: { id: string }) => names.get(id);
    const query = 'garden rhubarb quince';
    await selects(t, one, found, name, [
      [{ query }, 'c b d a'],
      [{ query: 'quince' }, 'c'],
      [{ query, start_date: '2026-03-01' }, 'c b d a'],
      [{ query, start_date: '2026-03-02' }, 'c d'],
      [{ query, start_date: '2026-03-03' }, 'd'],
      [{ query, end_date: '2026-03-01' }, 'b a'],
      [{ query, end_date: '2026-03-03' }, 'c b a'],
      [{ query, end_date: '2026-02-28' }, ''],
      [{ query, start_date: '2026-03-02', end_date: '2026-03-02' }, 'c'],
      [{ query, start_date: '', end_date: '2026-03-04' }, 'c b d a'],
      [{ query, limit: 2 }, 'c b'],
      [{ query, limit: 1, end_date: '2026-03-01' }, 'b'],
    ]);
    const rest = async (period: string): Promise<unknown[]> =>
      (await api.call(`/v1/mcp/conversations/search?query=${query}&${period}`, { credential: one.key })).body;
    for (const [period, expected] of [
      ['start_date=2026-03-02T12:00:00Z', 'c d'],
      ['start_date=2026-03-02T12:00:00.001Z', 'd'],
      ['end_date=2026-03-02T12:00:00Z', 'c b a'],
      ['end_date=2026-03-02T11:59:59.999Z', 'b a'],
      ['start_date=2026-03-01T23:59:59.999Z&end_date=2026-03-02', 'c b'],
    ] as const)
      t.same((await rest(period)).map(name as never), words(expected), period);

    await t.test("a date means a day in the user's time zone", async (t) => {
      await sql`update users set time_zone = 'Pacific/Auckland' where uid = ${one.uid}`;
      // In Pacific/Auckland, 1 March ends at 11:00 UTC. The next conversation starts on 2 March.
      await store('e', { ...titled('Rhubarb'), started_at: '2026-03-01T10:59:59.999Z' });
      await store('f', { ...titled('Rhubarb'), started_at: '2026-03-01T11:00:00Z' });
      const zoned: readonly Case[] = [
        [{ query: 'rhubarb', end_date: '2026-03-01' }, 'e'],
        [{ query: 'rhubarb', start_date: '2026-03-02', end_date: '2026-03-02' }, 'b f'],
        [{ query: 'rhubarb', start_date: '2026-03-03', end_date: '2026-03-03' }, 'c'],
      ];
      await selects(t, one, found, name, zoned);
      const mixed = 'start_date=2026-03-01T11:00:00Z&end_date=2026-03-02';
      t.same(
        (await rest(mixed)).map(name as never),
        words('b f'),
        'a time with an offset does not depend on the zone',
      );
      await sql`update users set time_zone = 'UTC' where uid = ${one.uid}`;
    });

    await t.test(
      'search_conversations returns the card, the snippets and the relevance of a conversation',
      async (t) => {
        const shown = async (asked: string, who = one) =>
          (await who.call('search_conversations', { query: asked })).conversations;
        const [row] = await shown('beds garden');
        const { match_snippets: snippets, relevance_score: score, ...card } = row;
        t.same(card, {
          ...{ id: row.id, created_at: '2026-03-04T08:00:00Z', started_at: null, finished_at: null },
          ...{ language: 'en', structured: whole },
        });
        t.same(snippets, [
          { text: 'We dug the garden.', segment_id: `${row.id} 0`, speaker_id: 3, start: 1.5, end: 2.5 },
        ]);
        t.equal(score, 1);
        const narrow = await assistant(api, { uid: one.uid, scopes: reading });
        t.same(
          (await shown('beds garden', narrow))[0].structured,
          { ...whole, action_items: [] },
          'tasks need their own scope',
        );
        const { notice } = await one.call('search_conversations', { query: 'beds garden' });
        t.match(notice, /data/);
      },
    );

    await t.test(
      'match_snippets come from the first eight different words that have at least three letters',
      async (t) => {
        for (const [asked, expected] of [
          ['GARDEN', 1],
          ['beds beds beds beds beds beds beds beds garden', 1],
          ['beds we', 0],
          ['beds one2 two2 three2 four2 five2 six2 garden', 1],
          ['beds one2 two2 three2 four2 five2 six2 seven2 garden', 0],
          ['beds, Garden!', 1],
        ] as const) {
          const rows = (await one.call('search_conversations', { query: asked })).conversations;
          const row = rows.find(({ id }: { id: string }) => names.get(id) === 'd');
          t.equal(row.match_snippets.length, expected, asked);
        }
      },
    );
  });

  await t.test('get_conversations returns no transcripts', async (t) => {
    const one = await assistant(api);
    const other = await assistant(api);
    const names = new Map<string, string>();
    const store = async (name: string, more: object): Promise<void> => {
      names.set(await conversation(one.uid, more, 'A secret word.'), name);
    };
    const home = { structured: { category: 'family' } };
    await store('a', { ...home, created_at: '2026-03-01T00:00:00Z' });
    await store('b', { structured: { category: 'work' }, created_at: '2026-03-01T23:59:59.999Z' });
    await store('c', { ...home, created_at: '2026-03-02T00:00:00Z', is_locked: true });
    await store('d', { structured: null, created_at: '2026-03-03T10:00:00Z' });
    const times = { started_at: '2026-03-03T09:00:00Z', finished_at: '2026-03-03T09:30:00Z' };
    await store('e', { structured: whole, created_at: '2026-03-03T10:00:00Z', ...times });
    await storeHidden(one.uid, other.uid);

    const listed = ['get_conversations', 'conversations', 'conversations'];
    await selects(t, one, listed, ({ id }: { id: string }) => names.get(id), [
      [{}, 'e d c b a'],
      [{ start_date: '2026-03-02' }, 'e d c'],
      [{ start_date: '2026-03-03' }, 'e d'],
      [{ end_date: '2026-03-01' }, 'b a'],
      [{ end_date: '2026-03-02' }, 'c b a'],
      [{ start_date: '2026-03-02', end_date: '2026-03-02' }, 'c'],
      [{ categories: ['family'] }, 'e c a'],
      [{ categories: ['work', 'family'] }, 'e c b a'],
      [{ categories: ['health'] }, ''],
      [{ categories: [] }, 'e d c b a'],
      [{ limit: 2 }, 'e d'],
      [{ limit: 2, offset: 2 }, 'c b'],
      [{ categories: ['family'], end_date: '2026-03-02', limit: 1, offset: 1 }, 'a'],
    ]);
    for (const [given, more] of [
      [{ limit: 4 }, true],
      [{ limit: 5 }, false],
      [{ limit: 1, offset: 4 }, false],
    ] as const)
      t.equal((await one.call('get_conversations', given)).has_more, more, JSON.stringify(given));
    const moment = async (period: string): Promise<unknown[]> =>
      (await api.call(`/v1/mcp/conversations?${period}`, { credential: one.key })).body.map(
        ({ id }: { id: string }) => names.get(id),
      );
    t.same(await moment('end_date=2026-03-02T00:00:00Z'), ['c', 'b', 'a'], 'a bound is included');
    t.same(await moment('start_date=2026-03-02T00:00:00Z'), ['e', 'd', 'c'], 'a bound is included');

    await t.test('get_conversations returns metadata of each conversation', async (t) => {
      const answer = await one.call('get_conversations');
      t.match(answer.notice, /data/);
      t.notMatch(JSON.stringify(answer), /secret/, 'no transcript text');
      const empty = { title: '', overview: '', emoji: '', category: 'other', action_items: [], events: [] };
      const [e, d, c] = answer.conversations;
      t.same(e, {
        ...{ id: e.id, created_at: '2026-03-03T10:00:00Z', ...times, language: 'en' },
        structured: whole,
      });
      t.same(Object.keys(d).sort(), Object.keys(e).sort());
      t.same(
        Object.keys(d.structured).sort(),
        Object.keys(empty).sort(),
        'a missing summary has empty fields',
      );
      t.match(d, { started_at: null, finished_at: null, structured: { action_items: [], events: [] } });
      t.equal(c.structured.category, 'family');

      const narrow = await assistant(api, { uid: one.uid, scopes: reading });
      const [shown] = (await narrow.call('get_conversations', { limit: 1 })).conversations;
      t.same(shown.structured, { ...whole, action_items: [] }, 'tasks need their own scope');
      await sql`update conversations set is_locked = true where id = ${e.id}`;
      const [locked] = (await one.call('get_conversations', { limit: 1 })).conversations;
      t.same(
        locked.structured,
        { ...whole, action_items: [], events: [] },
        'a locked conversation has no tasks or events',
      );
    });
  });

  await t.test('get_chat_messages, get_x_posts and get_daily_summaries', async (t) => {
    const one = await assistant(api);
    const other = await assistant(api);
    const times = ['05', '01', '03', '03'];
    for (const [uid, prefix] of [
      [one.uid, ''],
      [other.uid, 'foreign '],
    ] as const) {
      for (const [index, day] of times.entries()) {
        const id = `${prefix}${'abcd'[index]}`;
        const at = `2026-03-${day}T08:00:00Z`;
        await sql`
          insert into chat_messages (id, uid, sender, type, text, created_at)
          values (${id}, ${uid}, ${index % 2 ? 'ai' : 'human'}, 'text', ${`said ${id}`}, ${at})`;
        await sql`
          insert into posts (id, uid, kind, text, created_at)
          values (${id}, ${uid}, ${index % 2 ? 'bookmark' : 'tweet'}, ${`wrote ${id}`}, ${at})`;
      }
      for (const day of ['2026-03-02', '2026-03-04', '2026-03-01'])
        await sql`
          insert into daily_summaries (id, uid, headline, overview, created_at)
          values (${day}, ${uid}, ${`${prefix}headline ${day}`}, 'What happened.', ${day})`;
    }
    const id = (row: { id: string }): string => row.id;
    await selects(t, one, ['get_chat_messages', 'chat', 'messages'], id, [
      [{}, 'a d c b'],
      [{ limit: 2 }, 'a d'],
      [{ limit: 2, offset: 1 }, 'd c'],
      [{ offset: 3 }, 'b'],
    ]);
    const { messages, ...rest } = await one.call('get_chat_messages', { limit: 1 });
    const at = '2026-03-05T08:00:00Z';
    t.same(messages, [{ id: 'a', sender: 'human', type: 'text', text: 'said a', created_at: at }]);
    t.match(rest, { notice: /data/ });

    const postIds = async (given: object): Promise<string[]> =>
      (await one.call('get_x_posts', given)).posts.map(id);
    t.same(await postIds({}), ['a', 'd', 'c', 'b']);
    t.same(await postIds({ kind: 'tweet' }), ['a', 'c']);
    t.same(await postIds({ kind: 'bookmark' }), ['d', 'b']);
    t.same(await postIds({ limit: 1, kind: 'bookmark' }), ['d']);
    const { posts, ...beside } = await one.call('get_x_posts', { limit: 1 });
    t.same(posts, [{ id: 'a', kind: 'tweet', text: 'wrote a', created_at: at }]);
    t.match(beside, { notice: /data/ });
    isDeclared(t, 'get_x_posts', { posts, ...beside });

    const summaries = ['get_daily_summaries', 'daily-summaries', 'daily_summaries'];
    const day = ({ date }: { date: string }): string => date.slice(-2);
    await selects(t, one, summaries, day, [
      [{}, '04 02 01'],
      [{ limit: 1 }, '04'],
      [{ limit: 1, offset: 1 }, '02'],
      [{ start_date: '2026-03-02' }, '04 02'],
      [{ end_date: '2026-03-02' }, '02 01'],
      [{ start_date: '2026-03-02', end_date: '2026-03-03' }, '02'],
    ]);
    const { daily_summaries: days, ...more } = await one.call('get_daily_summaries', { limit: 1 });
    t.same(days, [
      {
        ...{ id: '2026-03-04', date: '2026-03-04', headline: 'headline 2026-03-04' },
        ...{ overview: 'What happened.', created_at: '2026-03-04T00:00:00Z', generated_by: null },
      },
    ]);
    t.match(more, { notice: /data/ });
    await sql`update users set time_zone = 'America/New_York' where uid = ${one.uid}`;
    const { body } = await api.call('/v1/mcp/daily-summaries?start_date=2026-03-02T03:00:00Z&limit=9', {
      credential: one.key,
    });
    t.same(body.map(day), ['04', '02', '01'], 'a time selects the day of the user that contains it');
    await selects(t, one, summaries, day, [[{ start_date: '2026-03-02', end_date: '2026-03-02' }, '02']]);
  });

  await t.test(
    'lists have their default number of rows without a limit, and their maximum with a large limit',
    async (t) => {
      const one = await assistant(api);
      const fill = (table: string, columns: string, values: string) =>
        sql.unsafe(
          `insert into ${table} (uid, created_at, ${columns})
         select $1, timestamptz '2026-01-01' + make_interval(days => n), ${values} from generate_series(1, 210) as n`,
          [one.uid],
        );
      await fill('chat_messages', 'id, sender, type, text', `'m' || n, 'human', 'text', 'x'`);
      await fill('posts', 'id, kind, text', `'p' || n, 'tweet', 'x'`);
      await fill('daily_summaries', 'id, headline, overview', `(date '2026-01-01' + n)::text, 'A', 'x'`);
      await fill(
        'conversations',
        'id, status, source, last_speech_at, structured',
        `gen_random_uuid(), 'completed', 'phone', now(), '{"title": "Garden"}'`,
      );
      for (const [tool, given, member, usual, most] of [
        ['get_chat_messages', {}, 'messages', 50, 200],
        ['get_x_posts', {}, 'posts', 50, 200],
        ['get_daily_summaries', {}, 'daily_summaries', 30, 100],
        ['get_conversations', {}, 'conversations', 20, 100],
        ['search_conversations', { query: 'garden' }, 'conversations', 10, 100],
      ] as const) {
        t.equal((await one.call(tool, given))[member].length, usual, tool);
        t.equal((await one.call(tool, { ...given, limit: 1e9 }))[member].length, most, tool);
      }
    },
  );
});
