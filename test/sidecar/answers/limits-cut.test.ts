/**
 * Tests every operation and tool with a number over its maximum. The service uses the maximum, and the answer contains
 * a warning.
 */
import t from 'tap';
import { developerScopes } from '../../../src/identity/scopes.js';
import { undeployedRoutes } from '../../../src/sidecar/authorization-page.js';
import type { Route } from '../../../src/sidecar/frame/route.js';
import { movingFields } from '../../../src/sidecar/schemas/moved-numbers.js';
import { assistant, endpoint, message } from '../mcp/tool-support.js';
import { conversations, startApi } from '../support.js';

const far = 1_000_000_000;

t.test('numbers out of range', async (t) => {
  const api = await startApi(t, { RATE_LIMIT_SHADOW: 'true' });
  const ann = await api.person([...developerScopes]);
  const one = await assistant(api, { uid: ann.uid });
  const goal = await api.call('/v1/dev/user/goals', {
    credential: ann.key,
    body: { title: 'Run', target_value: 3 },
  });
  const credentialOf = ({ access: { kind } }: Route): string =>
    kind === 'developer' ? ann.key : kind === 'assistant' ? one.key : ann.token;

  await t.test('every query parameter above its maximum is answered with a warning', async (t) => {
    let count = 0;
    for (const route of undeployedRoutes()) {
      const path = route.url.replace('{id}', goal.body.id);
      for (const [name, { maximum, minimum }] of route.query ? movingFields(route.query) : []) {
        if (maximum > far) continue;
        count++;
        const query = new URLSearchParams({ ...route.example?.query, [name]: String(far) });
        const { status, headers } = await api.call(`${path}?${query}`, { credential: credentialOf(route) });
        t.equal(status, 200, `${route.operationId} ${name}`);
        const least = name === 'limit' ? maximum : minimum;
        t.equal(headers.get('warning'), `299 - "${name} is at most ${maximum}; ${maximum} is used"`);
        query.set(name, String(least));
        const within = await api.call(`${path}?${query}`, { credential: credentialOf(route) });
        t.equal(within.headers.get('warning'), null, `${route.operationId} ${name}=${least}`);
      }
    }
    t.ok(count >= 20, `${count} parameters`);
  });

  await t.test(
    'a parameter below its minimum and a number in a body are answered with a warning',
    async (t) => {
      const zero = await api.call('/v1/dev/user/memories?limit=0&offset=-1', { credential: ann.key });
      t.equal(zero.status, 200);
      t.equal(
        zero.headers.get('warning'),
        '299 - "limit is at least 1; 1 is used", 299 - "offset is at least 0; 0 is used"',
      );
      const body = { question: 'What do I grow?', limit: 200 };
      const asked = await api.call('/v1/dev/user/ask', { credential: ann.key, body });
      t.match(asked, { status: 200 });
      t.equal(asked.headers.get('warning'), '299 - "limit is at most 10; 10 is used"');
    },
  );

  await t.test('every tool warns about a limit above its maximum', async (t) => {
    const { tools } = (await one.send(message('tools/list'))).body.result;
    let count = 0;
    for (const { name, inputSchema } of tools) {
      if (inputSchema.properties?.limit === undefined) continue;
      count++;
      const call = (limit: number) => {
        const given = { limit, ...(inputSchema.required?.includes('query') && { query: 'tea' }) };
        return one.send(message('tools/call', { name, arguments: given }));
      };
      const { headers, body } = await call(far);
      const [, most] =
        /^299 - "limit is at most (\d+); \1 is used"$/.exec(headers.get('warning') ?? '') ?? [];
      t.ok(most, `${name} ${most}`);
      t.same(body.result._meta, { 'cochlea/warnings': [`limit is at most ${most}; ${most} is used`] });
      const within = await call(Number(most));
      t.equal(within.headers.get('warning'), null, name);
      t.equal(within.body.result._meta, undefined, name);
    }
    t.equal(count, 11);
    const many = [1, 2].map((id) =>
      message('tools/call', { name: 'get_memories', arguments: { limit: far } }, id),
    );
    const batch = await api.call(endpoint, {
      credential: one.key,
      body: many,
      headers: { 'mcp-session-id': one.session },
    });
    t.equal(
      batch.headers.get('warning'),
      '299 - "limit is at most 500; 500 is used"',
      'one warning for a batch',
    );
  });

  await t.test('maximum length of a page of conversations', async (t) => {
    await api.sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, structured)
      select gen_random_uuid(), ${ann.uid}, 'completed', 'svc', now() - n * interval '1 minute',
        now() - n * interval '1 minute', now(), '{}' from generate_series(1, 230) as n`;
    const listed = async (query: string) => {
      const answer = await api.call(`${conversations}?${query}`, { credential: ann.key });
      return { count: answer.body.length, warning: answer.headers.get('warning') };
    };
    t.same(await listed('limit=200'), { count: 200, warning: null }, '200 conversations');
    t.same(await listed('limit=201'), { count: 200, warning: '299 - "limit is at most 200; 200 is used"' });
    for (const limit of [50, 500]) {
      t.same(
        await listed(`limit=${limit}&include_transcript=true`),
        { count: 25, warning: '299 - "limit is at most 25 with transcripts; 25 is used"' },
        '25 conversations with transcripts',
      );
    }
    t.same(await listed('include_transcript=true'), { count: 25, warning: null });
  });
});
