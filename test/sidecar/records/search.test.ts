import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { ensureModel, modelOptions } from '../../../src/models/ensure.js';
import { until } from '../../support/until.js';
import { type Answer, type Api, fromSegments, said, startAnother, startApi } from '../support.js';

const memories = '/v1/dev/user/memories';
const conversations = '/v1/dev/user/conversations';
const actionItems = '/v1/dev/user/action-items';
const posts = '/v1/posts';
const everything = [
  'memories:read',
  'memories:write',
  'conversations:read',
  'conversations:write',
  'action_items:read',
  'action_items:write',
] as const;

/** Reason to skip tests that need the sentence model. False if the model is available. */
const withoutModel: string | false = await ensureModel('minilm', modelOptions(loadSettings().values)).then(
  () => false,
  (error: Error) => error.message,
);

const lookFor = (api: Api, credential: string, url: string, query: string, more = ''): Promise<Answer> =>
  api.call(`${url}/vector/search?query=${encodeURIComponent(query)}${more}`, { credential });

t.test('search over REST', async (t) => {
  const lines: string[] = [];
  const log = createLogger('test', 'debug', { write: (line) => lines.push(line) });
  const api = await startApi(t, {}, log);
  const ann = await api.person(everything);
  const bob = await api.person(everything);
  const post = (url: string, body: object, credential = ann.key) => api.call(url, { credential, body });

  for (const content of ['Fond of umbrellas', 'Owns three umbrellas and a boat', 'Sails a boat']) {
    await post(memories, { content });
  }
  await post(memories, { content: 'Hates umbrellas' }, bob.key);
  await post(actionItems, { description: 'Repair the umbrella' });
  await post(posts, { kind: 'tweet', text: 'An umbrella in the storm', id: 'p-1' }, ann.token);
  const talk = async (text: string, started_at: string, language = 'en'): Promise<string> => {
    const given = { transcript_segments: [said(text), said('That was all for today.', 3, 5)], started_at };
    return (await post(fromSegments, { ...given, language })).body.id;
  };
  const rain = await talk(
    'Take the umbrella with you when you visit Oskar in Ljubljana.',
    '2024-01-10T10:00:00Z',
  );
  const german = await talk('Der Regenschirm liegt im Auto von Oskar.', '2024-02-10T10:00:00Z', 'de');

  const contents = ({ body }: Answer): string[] =>
    body.items.map(({ content }: { content: string }) => content);
  const ids = ({ body }: Answer): string[] => body.items.map(({ id }: { id: string }) => id);

  await t.test(
    "finds words in the user's own records, and reports that meanings were not compared",
    async (t) => {
      const { status, body } = await lookFor(api, ann.key, memories, 'umbrellas boat');
      t.equal(status, 200);
      t.match(body, { returned_count: 3, semantic: false, archive_default_visible: false, policy: Object });
      t.equal(body.items[0].content, 'Owns three umbrellas and a boat', 'more matching words come first');
      t.equal(body.items[0].relevance_score, 1);
      t.match(body.items[0], { category: String, created_at: String, visibility: 'private' });
      t.strictSame(contents(await lookFor(api, bob.key, memories, 'umbrella')), ['Hates umbrellas']);
      t.strictSame(
        (await lookFor(api, ann.key, actionItems, 'umbrella')).body.items[0].description,
        'Repair the umbrella',
      );
      t.strictSame(ids(await lookFor(api, ann.token, posts, 'storm')), ['p-1']);
    },
  );

  await t.test(
    'finds conversations by title, overview and transcript, in their language, within a period',
    async (t) => {
      t.strictSame(ids(await lookFor(api, ann.key, conversations, 'umbrellas')), [rain]);
      t.strictSame(ids(await lookFor(api, ann.key, conversations, 'Ljubljana')), [rain]);
      t.same(new Set(ids(await lookFor(api, ann.key, conversations, 'Oskar'))), new Set([rain, german]));
      t.strictSame(ids(await lookFor(api, ann.key, conversations, 'Oskar', '&start_date=2024-02-10')), [
        german,
      ]);
      t.strictSame(ids(await lookFor(api, ann.key, conversations, 'Oskar', '&end_date=2024-01-10')), [rain]);
      t.strictSame(ids(await lookFor(api, ann.key, conversations, 'Oskar', '&end_date=2023-01-10')), []);
      t.strictSame(ids(await lookFor(api, bob.key, conversations, 'Oskar')), []);
      const [found] = (await lookFor(api, ann.key, conversations, 'Ljubljana')).body.items;
      t.equal(found.transcript_segments, null);
      t.ok(found.structured.title);
    },
  );

  await t.test('finds a conversation that was created from a text by that text', async (t) => {
    const text = `We met at the station. ${'The talk went on. '.repeat(20)}Then she mentioned her telescope, twice.`;
    const { body } = await post(conversations, { text, started_at: '2024-03-10T10:00:00Z' });
    t.strictSame(ids(await lookFor(api, ann.key, conversations, 'telescope')), [body.id]);
    const asked = await post('/v1/dev/user/ask', { question: 'Who mentioned a telescope?' });
    t.match(asked.body, { answer: /her telescope, twice/, sources: [{ id: body.id }] });
  });

  await t.test(
    'finds changed records by their new text, and never finds hidden or deleted records',
    async (t) => {
      const { id } = (await post(memories, { content: 'Collects porcelain' })).body;
      const find = async (word: string) => contents(await lookFor(api, ann.key, memories, word));
      await api.call(`${memories}/${id}`, {
        method: 'PATCH',
        credential: ann.key,
        body: { content: 'Collects cutlery' },
      });
      t.strictSame(await find('porcelain'), []);
      t.strictSame(await find('cutlery'), ['Collects cutlery']);
      for (const [what, hide, show] of [
        ['rejected', 'user_review = false', 'user_review = true'],
        ['contradicted', 'invalid_at = now()', 'invalid_at = null'],
      ] as const) {
        await api.sql.unsafe(`update memories set ${hide} where id = $1`, [id]);
        t.strictSame(await find('cutlery'), [], what);
        await api.sql.unsafe(`update memories set ${show} where id = $1`, [id]);
        t.strictSame(await find('cutlery'), ['Collects cutlery']);
      }
      await api.call(`${memories}/${id}`, { method: 'DELETE', credential: ann.key });
      t.strictSame(await find('cutlery'), []);

      const gone = await talk('The zeppelin lands at noon.', '2024-03-01T10:00:00Z');
      const zeppelins = async () => ids(await lookFor(api, ann.key, conversations, 'zeppelin'));
      t.strictSame(await zeppelins(), [gone]);
      const patch = (body: object) =>
        api.call(`${conversations}/${gone}`, { method: 'PATCH', credential: ann.key, body });
      await patch({ discarded: true });
      t.strictSame(await zeppelins(), []);
      await patch({ discarded: false, title: 'Balloons' });
      t.strictSame(await zeppelins(), [gone]);
      t.strictSame(ids(await lookFor(api, ann.key, conversations, 'balloon')), [gone], 'the new title');
      await api.call(`${conversations}/${gone}`, { method: 'DELETE', credential: ann.key });
      t.strictSame(await zeppelins(), []);

      await api.call(`${posts}/p-1`, { method: 'DELETE', credential: ann.token });
      t.strictSame(ids(await lookFor(api, ann.token, posts, 'storm')), []);
    },
  );

  await t.test('shortens locked memories, omits other locked records, and still fills a page', async (t) => {
    const { uid, key } = await api.person(everything);
    for (let i = 0; i < 30; i++) {
      await post(memories, { content: `Secret recipe number ${i} ${'with much flour '.repeat(10)}` }, key);
      await post(actionItems, { description: `Recipe ${i}` }, key);
    }
    await api.sql`update memories set is_locked = true where uid = ${uid}`;
    await api.sql`update action_items set is_locked = true where uid = ${uid} and description < 'Recipe 3'`;
    const found = contents(await lookFor(api, key, memories, 'recipe', '&limit=5'));
    t.equal(found.length, 5);
    t.ok(found.every((content) => [...content].length === 73 && content.endsWith('...')));
    t.equal((await lookFor(api, key, actionItems, 'recipe', '&limit=7')).body.returned_count, 7);
    t.equal((await lookFor(api, key, actionItems, 'recipe', '&limit=100')).body.returned_count, 7);
  });

  await t.test('answers unusual queries', async (t) => {
    const odd: readonly (readonly [what: string, query: string])[] = [
      ['NUL', 'umbrella\0'],
      ['only NUL', '\0\0'],
      ['a private use character', '\uE000'],
      ['an emoji sequence', '👩‍👩‍👧‍👦'],
      ['right to left', '\u202eallerbmu'],
      ['operators', `'umbrella' & | ! <-> :* \\ ( " ' "`],
      ['SQL', "'; drop table memories; --"],
      ['one long word', 'u'.repeat(1000)],
      ['many words', 'ab '.repeat(333).trim()],
      ['combining marks', `u${'\u0301'.repeat(900)}`],
      ['only a minus', '-'],
      ['only stop words', 'the a of'],
      ['a URL', 'https://example.com/a/b?c=d&e=f'],
      ['a percent sign', '%'],
    ];
    for (const [what, query] of odd) {
      for (const [url, credential] of [
        [memories, ann.key],
        [conversations, ann.key],
        [actionItems, ann.key],
        [posts, ann.token],
      ] as const) {
        t.equal((await lookFor(api, credential, url, query)).status, 200, `${what}, ${url}`);
      }
    }
    t.equal(contents(await lookFor(api, ann.key, memories, 'umbrella\0')).length, 2, 'a NUL separates words');
  });

  await t.test('queries and limits are bounded', async (t) => {
    for (const [query, status] of [
      ['query=', 422],
      ['query=%20%20', 422],
      ['', 422],
      [`query=${'x'.repeat(1000)}`, 200],
      [`query=${'x'.repeat(1001)}`, 422],
      ['query=umbrella&limit=nonsense', 422],
      ['query=umbrella&limit=0', 200],
      ['query=umbrella&limit=-1', 200],
      ['query=umbrella&limit=1000000000', 200],
      ['query=umbrella&query=boat', 422],
    ] as const) {
      t.equal(
        (await api.call(`${memories}/vector/search?${query}`, { credential: ann.key })).status,
        status,
        query,
      );
    }
    t.equal((await lookFor(api, ann.key, memories, 'umbrella', '&limit=0')).body.returned_count, 1);
    t.equal((await lookFor(api, ann.key, conversations, 'x', '&start_date=soon')).status, 422);
  });

  await t.test('does not log queries', async (t) => {
    const before = lines.length;
    await lookFor(api, ann.key, conversations, 'Xylophonquartett');
    await lookFor(api, ann.key, memories, 'Xylophonquartett', '&limit=x');
    t.ok(lines.length > before, 'the requests are logged');
    t.notOk(lines.some((line) => line.includes('Xylophon')));
  });

  await t.test('finds records by meaning at every sidecar', { skip: withoutModel }, async (t) => {
    const sidecars = [
      await startAnother(t, api, { SENTENCE_MODEL: 'minilm' }),
      await startAnother(t, api, { SENTENCE_MODEL: 'minilm' }),
    ];
    const first = async (one: Api, credential: string, url: string, query: string) => {
      const { body } = await lookFor(one, credential, url, query);
      return { semantic: body.semantic, best: body.items[0]?.id, count: body.returned_count };
    };
    for (const one of sidecars) {
      await until(
        async () => (await first(one, ann.key, memories, 'x')).semantic === true,
        'the model is loaded',
      );
    }
    const written = async (url: string, body: object, credential: string) =>
      (await sidecars[0]!.call(url, { credential, body })).body.id;
    const cases = [
      [memories, ann.key, { content: 'Allergic to peanuts' }, 'food that causes a reaction'],
      [actionItems, ann.key, { description: 'Call the dentist' }, 'make a medical appointment'],
      [posts, ann.token, { kind: 'tweet', text: 'My puppy chewed the sofa again' }, 'dog destroys furniture'],
      [
        fromSegments,
        ann.key,
        {
          transcript_segments: [
            said('The rocket will launch to the moon tomorrow.'),
            said('The astronauts are ready.', 3, 5),
          ],
        },
        'space flight',
      ],
    ] as const;
    for (const [url, credential, body, question] of cases) {
      const id = await written(url, body, credential);
      const searched = url === fromSegments ? conversations : url;
      for (const one of sidecars) {
        t.match(await first(one, credential, searched, question), { best: id, semantic: true }, question);
      }
    }
    t.equal(
      (await first(sidecars[0]!, bob.key, memories, 'food that causes a reaction')).count,
      1,
      'only records of the user',
    );
    const [best] = (await lookFor(sidecars[0]!, ann.key, memories, 'food that causes a reaction')).body.items;
    t.ok(best.relevance_score > 0 && best.relevance_score < 1);
    t.equal(best.relevance_score, Math.round(best.relevance_score * 1e4) / 1e4, 'four decimal places');
  });
});
