/** Tests the rate limits of users. All sidecars share one count, and every answer reports it. */
import t from 'tap';
import { conversations, fromSegments, startAnother, startApi } from '../support.js';

const nothing = '00000000-0000-4000-8000-000000000000';

t.test('two sidecars share a count, also for simultaneous requests', async (t) => {
  const first = await startApi(t, { RATE_LIMIT_BOOST: '1' });
  const second = await startAnother(t, first, { RATE_LIMIT_BOOST: '1' });
  const { key } = await first.person();
  const ask = (index: number) =>
    (index % 2 === 0 ? first : second).call(fromSegments, { credential: key, body: {} });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index)));
  const admitted = answers.filter(({ status }) => status === 422);
  t.equal(admitted.length, 25, 'exactly the limit');
  const left = admitted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  t.same(
    left.sort((one, other) => one - other),
    Array.from({ length: 25 }, (_, index) => index),
    'each answer has another remaining number',
  );
  for (const { status, headers, body } of answers.filter((answer) => answer.status !== 422)) {
    t.equal(status, 429);
    t.match(body.detail, /^Rate limit exceeded \(dev:conversations\)/);
    t.equal(headers.get('x-ratelimit-policy'), 'dev:conversations');
    t.ok(Number(headers.get('retry-after')) > 0);
  }

  t.test('a request that one limit refuses does not count against other limits', async (t) => {
    const { key: reader, uid } = await first.person();
    const read = (query: string) => first.call(`${conversations}/${nothing}${query}`, { credential: reader });
    for (let count = 0; count < 30; count++) await read('?include_transcript=true');
    const [total] = await first.sql`
      select used from rate_windows where subject = ${uid} and policy = 'dev:conversation_reads_total'`;
    t.equal(total!.used, 25);
    t.equal((await read('')).headers.get('x-ratelimit-remaining'), '34');
  });

  t.test('a request whose key lacks the scope does not count', async (t) => {
    const { key: reader, uid } = await first.person(['conversations:read']);
    const answer = await first.call(fromSegments, { credential: reader, body: {} });
    t.equal(answer.status, 403);
    t.same(await first.sql`select policy from rate_windows where subject = ${uid}`, []);
  });

  t.test(
    'a new window starts after the end of the last one, also if a sidecar remembers it as full',
    async (t) => {
      const { key: own, uid } = await first.person();
      const create = (api: typeof first) => api.call(fromSegments, { credential: own, body: {} });
      for (let count = 0; count < 25; count++) await create(first);
      await first.sql`update rate_windows set ends_at = now() - interval '1 s' where subject = ${uid}`;
      const answer = await create(second);
      t.equal(answer.status, 422);
      t.equal(answer.headers.get('x-ratelimit-remaining'), '24');
      t.ok(Number(answer.headers.get('x-ratelimit-reset')) > 3500);
    },
  );
});

t.test('settings of rate limits', async (t) => {
  const api = await startApi(t, { RATE_LIMIT_BOOST: '2', RATE_LIMIT_BOOST_EXEMPT: 'dev:conversations' });
  const shadow = await startAnother(t, api, { RATE_LIMIT_BOOST: '1', RATE_LIMIT_SHADOW_MODE: 'true' });
  const { key } = await api.person();

  t.test('the largest RATE_LIMIT_BOOST keeps limits within the range of the database', async (t) => {
    const boosted = await startAnother(t, api, { RATE_LIMIT_BOOST: '1000000' });
    const { token } = await api.person();
    const answer = await boosted.call('/v2/voice-message/transcribe', {
      credential: token,
      method: 'POST',
      body: Buffer.alloc(32_000),
      headers: { 'content-type': 'application/octet-stream' },
    });
    t.equal(answer.status, 200, 'the limit of audio seconds per day is the largest');
  });

  t.test('RATE_LIMIT_BOOST multiplies every limit except the exempt ones', async (t) => {
    const limitOf = async (path: string, body?: object) =>
      (await api.call(path, { credential: key, body })).headers.get('x-ratelimit-limit');
    t.equal(await limitOf(conversations), '120');
    t.equal(await limitOf(fromSegments, {}), '25');
  });

  t.test('RATE_LIMIT_SHADOW_MODE refuses nothing', async (t) => {
    const { key: busy } = await api.person();
    const statuses = new Set<number>();
    let last = '';
    for (let count = 0; count < 30; count++) {
      const answer = await shadow.call(fromSegments, { credential: busy, body: {} });
      statuses.add(answer.status);
      last = answer.headers.get('x-ratelimit-remaining') ?? '';
    }
    t.same([...statuses], [422]);
    t.equal(last, '0');
  });
});
