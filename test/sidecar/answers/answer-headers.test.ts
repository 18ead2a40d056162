/** Tests the headers of every answer and the log lines of requests. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { createLogger } from '../../../src/log/logger.js';
import { untilBlocked } from '../../support/database/database.js';
import { until } from '../../support/until.js';
import { conversations, fromSegments, said, startApi } from '../support.js';

t.test('headers of answers, and log lines of requests', async (t) => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => lines.push(line) });
  const api = await startApi(t, { SLOW_STATEMENT: '100', PUBLIC_URL: 'https://cochlea.example' }, log);
  const { key } = await api.person();

  const requests: [name: string, path: string, request: object, status: number][] = [
    ['an answer', conversations, { credential: key }, 200],
    ['a refusal', conversations, {}, 401],
    ['an invalid request', fromSegments, { credential: key, body: {} }, 422],
    ['a path that does not exist', '/nothing', {}, 404],
    ['a path that is no text', '/v1/%ff', {}, 404],
    ['a part of a path that is too long', `/v1/posts/${'x'.repeat(1000)}`, {}, 404],
    ['another method', '/health/live', { method: 'POST' }, 405],
    ['the description', '/openapi.json', {}, 200],
  ];

  t.test('every answer has the security headers for browsers', async (t) => {
    for (const [name, path, request, status] of requests) {
      const answer = await api.call(path, request);
      t.equal(answer.status, status, name);
      t.equal(answer.headers.get('x-content-type-options'), 'nosniff', name);
      t.equal(answer.headers.get('x-frame-options'), 'DENY', name);
      t.match(answer.headers.get('content-security-policy'), /default-src 'none'/, name);
      t.equal(answer.headers.get('cache-control'), 'no-store', name);
      t.match(answer.headers.get('strict-transport-security'), /max-age=\d+/, name);
    }
  });

  t.test('cookies of a sign-in are limited to this host and to TLS', async (t) => {
    const page = await fetch(
      `${api.base}/authorize?${new URLSearchParams({
        client_id: 'cochlea',
        response_type: 'code',
        scope: 'openid',
        redirect_uri: 'http://127.0.0.1/callback',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      })}`,
      { redirect: 'manual', headers: { 'x-forwarded-proto': 'https' } },
    );
    const cookies = page.headers.getSetCookie();
    t.equal(cookies.length, 4);
    for (const cookie of cookies) t.match(cookie, /^__Secure-cochlea_.*; secure/i);
  });

  t.test('answers to malformed requests have the security headers too', async (t) => {
    for (const [name, bytes, status] of [
      ['a header that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
      ['no HTTP', 'nonsense\r\n\r\n', 400],
    ] as const) {
      const socket = connect(Number(new URL(api.base).port), '127.0.0.1');
      socket.end(bytes);
      const [head, body] = (await text(socket)).split('\r\n\r\n');
      t.match(head, new RegExp(`^HTTP/1.1 ${status} `), name);
      t.match(head, /\r\nx-content-type-options: nosniff\r\n/, name);
      t.match(head, /\r\ncache-control: no-store\r\n/, name);
      t.same(Object.keys(JSON.parse(body!)), ['detail'], name);
    }
  });

  t.test('keeps a valid X-Request-Id of the client, and makes one otherwise', async (t) => {
    for (const [name, path, request] of requests) {
      const idOf = async (given?: string) =>
        (
          await api.call(path, { ...request, ...(given && { headers: { 'x-request-id': given } }) })
        ).headers.get('x-request-id');
      t.equal(await idOf('phone-0123456789'), 'phone-0123456789', name);
      const made = await idOf();
      t.match(made, /^[0-9a-f-]{36}$/, name);
      for (const wrong of ['short', 'with spaces in it', 'x'.repeat(129), 'a"b<script>c']) {
        t.match(await idOf(wrong), /^[0-9a-f-]{36}$/, `${name}: ${wrong.slice(0, 20)}`);
      }
    }
    const answer = await api.call(conversations, {
      credential: key,
      headers: { 'x-request-id': 'phone-of-the-log' },
    });
    t.equal(answer.status, 200);
    t.ok(
      lines.some((line) => JSON.parse(line).requestId === 'phone-of-the-log'),
      'log lines contain the id',
    );
  });

  t.test('logs who reads which conversations, without their content', async (t) => {
    const { uid } = await api.person();
    const reader = await createApiKey(api.sql, api.settings, { uid, name: 'reader' });
    const writer = await createApiKey(api.sql, api.settings, {
      uid,
      name: 'writer',
      scopes: ['conversations:write'],
    });
    const body = { transcript_segments: [said('Nobody else may know of the hidden treasure.')] };
    const { id } = (await api.call(fromSegments, { credential: writer.key, body })).body;
    const headers = { 'user-agent': 'phone/1 \u00e9' };
    await api.call(`${conversations}?limit=7&offset=0`, { credential: reader.key, headers });
    await api.call(`${conversations}/${id}?include_transcript=true`, { credential: reader.key });
    const audits = lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.audit === true && line.uid === uid);
    const who = { uid, keyId: reader.record.id, ip: '127.0.0.1' };
    t.match(audits, [
      { ...who, operation: 'list', limit: 7, offset: 0, withTranscript: false, returned: 1, agent: /^phone/ },
      { ...who, operation: 'detail', withTranscript: true, conversation: id },
    ]);
    t.equal(audits.length, 2);
    t.notMatch(lines.join(''), /treasure/);
  });

  t.test('logs a slow statement without its values', async (t) => {
    const { asked } = await api.sql.begin(async (transaction) => {
      await transaction`lock table conversations in access exclusive mode`;
      const pending = api.call(`${conversations}?categories=a-secret-category`, { credential: key });
      await untilBlocked(api.sql);
      // The lock must last longer than `SLOW_STATEMENT`, which is 100 ms here.
      const began = performance.now();
      await until(() => performance.now() - began > 150, 'the statement is slow');
      return { asked: pending };
    });
    t.equal((await asked).status, 200);
    const slow = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'slow statement');
    const found = slow.find(({ statement }) => /from conversations/.test(statement));
    t.ok(found, 'the statement that waited', { slow });
    t.ok(found.milliseconds >= 100);
    t.notMatch(lines.join(''), /a-secret-category/);
  });
});
