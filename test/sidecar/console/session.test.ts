/**
 * Tests sessions at the console over HTTP: cookies, links, tokens for streams, and requests that a session does not
 * permit.
 */
import t from 'tap';
import { createConsoleLink, enterConsole } from '../../../src/identity/console-sessions.js';
import { issueStreamToken } from '../../../src/identity/token-issuer.js';
import { createTokenVerifier } from '../../../src/identity/token-verifier.js';
import { createUser } from '../../../src/identity/users.js';
import { createLogger } from '../../../src/log/logger.js';
import { type Api, consoleHeaders, consoleSession, conversations, startApi } from '../support.js';

const silent = createLogger('test', 'silent');

const linkOf = async ({ sql }: Api, uid: string): Promise<string> =>
  (await createConsoleLink(sql, uid)).secret;

/** Returns the value and the attributes of the cookie that an answer sets. */
const setCookie = (headers: Headers): { value: string; attributes: string[] } => {
  const [pair, ...attributes] = headers.getSetCookie()[0]!.split('; ');
  return { value: pair!.split('=')[1]!, attributes: [pair!.split('=')[0]!, ...attributes] };
};

t.test('a session at the console', async (t) => {
  const api = await startApi(t, { CORS_ALLOWED_ORIGINS: 'https://app.example' });
  const { sql, settings } = api;
  const { uid, token } = await api.person();

  await t.test('a link is looked at without being used, and opens one session', async (t) => {
    const link = await linkOf(api, uid);
    const headers = consoleHeaders(api);
    for (let times = 0; times < 3; times++) {
      const seen = await api.call('/console/api/enter/look', { headers, body: { link } });
      t.match(seen, { status: 200, body: { name: 'Ann', expires_in: 600 } });
    }
    const entered = await api.call('/console/api/enter', { headers, body: { link } });
    t.match(entered, { status: 200, body: { name: 'Ann' } });
    t.equal(entered.headers.get('cache-control'), 'no-store');
    const { value, attributes } = setCookie(entered.headers);
    t.match(value, /^[\w-]{43}$/);
    t.same(attributes, ['cochlea_console', 'Path=/', 'Max-Age=1209600', 'HttpOnly', 'SameSite=Lax']);
    const me = await api.call('/console/api/me', { headers: consoleHeaders(api, value) });
    t.match(me, { status: 200, body: { uid, name: 'Ann', capabilities: { language_model: false } } });
    for (const path of ['enter', 'enter/look']) {
      const again = await api.call(`/console/api/${path}`, { headers, body: { link } });
      t.match(again, { status: 400, body: { detail: /has expired, or was used before/ } });
      const long = { headers, body: { link, more: 'x'.repeat(4096) } };
      t.equal((await api.call(`/console/api/${path}`, long)).status, 413, 'anyone can send such a request');
    }
  });

  await t.test('a session gets a new cookie, and the former session of the browser ends', async (t) => {
    const former = await consoleSession(sql, uid);
    const chosen = 'A'.repeat(43);
    for (const cookie of [former, chosen]) {
      const headers = consoleHeaders(api, cookie);
      const entered = await api.call('/console/api/enter', {
        headers,
        body: { link: await linkOf(api, uid) },
      });
      t.not(setCookie(entered.headers).value, cookie);
      t.equal((await api.call('/console/api/me', { headers })).status, 401);
    }
  });

  await t.test('two cookies of the name open nothing, because one may be planted', async (t) => {
    const [own, planted] = [await consoleSession(sql, uid), await consoleSession(sql, uid)];
    const cookie = `cochlea_console=${planted}; other=1; cochlea_console=${own}`;
    const headers = { ...consoleHeaders(api), cookie };
    t.equal((await api.call('/console/api/me', { headers })).status, 401);
  });

  await t.test('signing out ends the session and removes the cookie', async (t) => {
    const headers = consoleHeaders(api, await consoleSession(sql, uid));
    const left = await api.call('/console/api/sign-out', { method: 'POST', headers });
    t.match(left, { status: 200, body: { continue_at: null } });
    t.match(setCookie(left.headers), { value: '', attributes: ['cochlea_console', 'Path=/', 'Max-Age=0'] });
    t.equal((await api.call('/console/api/me', { headers })).status, 401);
  });

  await t.test('signing out everywhere ends every session at once', async (t) => {
    const person = await api.person();
    const headers = consoleHeaders(api, await consoleSession(sql, person.uid));
    await api.call('/v1/users/sessions', { method: 'DELETE', credential: person.token });
    t.equal((await api.call('/console/api/me', { headers })).status, 401);
  });

  await t.test('a token for streams opens streams and nothing else', async (t) => {
    const headers = consoleHeaders(api, await consoleSession(sql, uid));
    const { status, body } = await api.call('/console/api/stream-token', { method: 'POST', headers });
    t.match([status, body.expires_in], [200, 600]);
    const verifier = await createTokenVerifier({ settings, databaseUrl: api.url, log: silent });
    t.teardown(() => verifier.close());
    const verified = await verifier.verify(body.token, 'stream');
    t.equal(verified.uid, uid);
    t.ok(verified.expiresAt - Date.now() <= 630_000, 'ten minutes, and the tolerance of clocks');
    t.equal((await verifier.verify(token, 'stream')).uid, uid, 'ID tokens open streams, too');
    await t.rejects(verifier.verify(body.token), { code: 'auth_invalid' });
    for (const path of ['/v1/users/settings', '/v1/dev/keys', conversations, '/v1/mcp/profile']) {
      t.equal((await api.call(path, { credential: body.token })).status, 401, path);
    }
    t.equal((await api.call('/v1/users/sessions', { method: 'DELETE', credential: body.token })).status, 401);
    t.equal(
      (await api.call('/console/api/me', { credential: body.token, headers: consoleHeaders(api) })).status,
      401,
    );
  });

  await t.test('the remedy of an error names the limit', async (t) => {
    const { status, body } = await api.call('/console/api/enter', {
      headers: consoleHeaders(api),
      body: { link: 'x'.repeat(5000) },
    });
    t.match([status, body], [413, { remedy: 'Send less than 4096 bytes.' }]);
  });

  await t.test('requests count against policies of the console', async (t) => {
    const headers = consoleHeaders(api, await consoleSession(sql, uid));
    const read = await api.call('/console/api/me', { headers });
    t.equal(read.headers.get('x-ratelimit-policy'), 'console:read');
    t.equal(read.headers.get('x-ratelimit-limit'), String(6000 * settings.rateLimitBoost));
    const written = await api.call('/console/api/stream-token', { method: 'POST', headers });
    t.equal(written.headers.get('x-ratelimit-policy'), 'console:write');
    t.equal(written.headers.get('x-ratelimit-limit'), String(1200 * settings.rateLimitBoost));
  });

  await t.test(
    'pages of other origins get no permission, also those that may use the tool server',
    async (t) => {
      const origin = 'https://app.example';
      const headers = { ...consoleHeaders(api, await consoleSession(sql, uid)), origin };
      const asked = { origin, 'access-control-request-method': 'POST' };
      const preflight = await api.call('/console/api/enter', { method: 'OPTIONS', headers: asked });
      t.equal(preflight.headers.get('access-control-allow-origin'), null);
      const read = await api.call('/console/api/me', { headers });
      t.match([read.status, read.headers.get('access-control-allow-origin')], [403, null]);
      const elsewhere = await api.call('/v1/mcp/profile', { method: 'OPTIONS', headers: asked });
      t.equal(elsewhere.headers.get('access-control-allow-origin'), origin);
    },
  );

  await t.test('the description is for sessions only, and not part of the public one', async (t) => {
    const headers = consoleHeaders(api, await consoleSession(sql, uid));
    const { status, body } = await api.call('/console/api/openapi.json', { headers });
    t.equal(status, 200);
    t.ok(
      body.paths['/console/api/conversations/{id}'].patch.parameters.some(
        ({ name }: { name: string }) => name === 'x-cochlea-console',
      ),
    );
    t.equal((await api.call('/console/api/openapi.json', { headers: consoleHeaders(api) })).status, 401);
    t.notMatch(JSON.stringify((await api.call('/openapi.json')).body), '/console/');
  });

  await t.test('without PUBLIC_URL a foreign name of this machine is refused', async (t) => {
    const cookie = await consoleSession(sql, uid);
    const host = 'evil.example:8787';
    const headers = { ...consoleHeaders(api, cookie), 'x-forwarded-host': host, origin: `http://${host}` };
    const refused = await api.call('/console/api/me', { headers });
    t.match(refused, { status: 403, body: { detail: /PUBLIC_URL is not set/ } });
  });
});

t.test('with https the cookie belongs to this host alone', async (t) => {
  const api = await startApi(t, { PUBLIC_URL: 'https://cochlea.example' });
  const { uid } = await createUser(api.sql);
  const headers: Record<string, string> = { ...consoleHeaders(api), origin: 'https://cochlea.example' };
  const entered = await api.call('/console/api/enter', { headers, body: { link: await linkOf(api, uid) } });
  const { value, attributes } = setCookie(entered.headers);
  t.same(attributes, [
    '__Host-cochlea_console',
    'Path=/',
    'Max-Age=1209600',
    'HttpOnly',
    'SameSite=Lax',
    'Secure',
  ]);
  const me = async (cookie: string, more = {}): Promise<number> =>
    (await api.call('/console/api/me', { headers: { ...headers, cookie, ...more } })).status;
  t.equal(await me(`__Host-cochlea_console=${value}`), 200);
  t.equal(await me(`cochlea_console=${value}`), 401, 'another host of the domain can set this name');
  t.equal(await me(`__Host-cochlea_console=${value}`, { origin: 'http://cochlea.example' }), 403);
  const { 'sec-fetch-site': _, ...without } = headers;
  const old = await api.call('/console/api/me', {
    headers: { ...without, cookie: `__Host-cochlea_console=${value}` },
  });
  t.equal(old.status, 403, 'a browser names the site of the request');
});

t.test('a token for streams works beside an issuer of the operator, and ends with its user', async (t) => {
  const api = await startApi(t, {
    ID_TOKEN_ISSUER: 'https://issuer.example',
    ID_TOKEN_JWKS: 'http://127.0.0.1:9',
  });
  const { sql, settings } = api;
  const { uid } = await createUser(sql);
  const { token } = await issueStreamToken(sql, settings, uid);
  const verifier = await createTokenVerifier({ settings, databaseUrl: api.url, log: silent });
  t.teardown(() => verifier.close());
  const verified = await verifier.verify(token, 'stream');
  t.equal(await verifier.standing(verified), 'good');
  await sql`update users set tokens_not_before = now() + interval '2 seconds' where uid = ${uid}`;
  verifier.forget();
  t.equal(await verifier.standing(verified), 'ended');
  t.ok(await enterConsole(sql, await linkOf(api, uid)), 'links work with every issuer');
});
