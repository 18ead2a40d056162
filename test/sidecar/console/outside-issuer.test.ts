/**
 * Tests the sign-in at the console with the operator's own issuer. The issuer is a real oidc-provider on another
 * origin.
 */
import { type CryptoKey, generateKeyPair } from 'jose';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createUser } from '../../../src/identity/users.js';
import { beginDeletion } from '../../../src/store/accounts/account-deletions.js';
import { signOutEverywhere } from '../../../src/store/accounts/grants.js';
import { Browser } from '../issuer/sign-in-support.js';
import { atUpstream } from '../issuer/upstream-support.js';
import { consoleSession, startApi } from '../support.js';
import { sessionOf, startConsole, startSigner } from './outside-support.js';

t.test('a person signs in at the console with an issuer of the operator', async (t) => {
  const { api, issuer, signIn, me } = await startConsole(t);
  const { base, sql } = api;

  await t.test('the first sign-in creates the account, and the next one finds it', async (t) => {
    for (let times = 0; times < 2; times++) {
      const browser = new Browser(base);
      const page = await signIn('ann', browser);
      t.match(page, { status: 200, url: `${base}/console` });
      t.match(await me(browser), {
        status: 200,
        body: { uid: 'ann', capabilities: { account_page: false } },
      });
    }
    t.equal((await sql`select 1 from users`).length, 1);
    t.match((await new Browser(base).get('/console')).text, /data-sign-in|\/console\/sign-in/);
  });

  await t.test('the request has PKCE, state and nonce, and each sign-in has other ones', async (t) => {
    const asked = async () => new URL((await new Browser(base).get('/console/sign-in')).url);
    const [one, two] = [await asked(), await asked()];
    t.equal(one.origin, issuer.issuer);
    t.equal(one.searchParams.get('code_challenge_method'), 'S256');
    t.equal(one.searchParams.get('redirect_uri'), `${base}/console/signed-in`);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      t.match(one.searchParams.get(name), /^[\w-]{43}$/, name);
      t.not(one.searchParams.get(name), two.searchParams.get(name), name);
    }
  });

  await t.test('a redirect works once, in its own browser, with its own code and issuer', async (t) => {
    const [victim, attacker] = [new Browser(base), new Browser(base)];
    const returned = new URL(await atUpstream(issuer, (await attacker.get('/console/sign-in')).url, 'eve'));
    t.equal((await victim.get(returned.href)).status, 400, 'in another browser');
    await victim.get('/console/sign-in');
    t.equal((await victim.get(returned.href)).status, 400, 'in another browser that is also signing in');
    t.notOk(sessionOf(victim));
    const changed = async (name: string, value: string) => {
      const browser = new Browser(base);
      const own = new URL(await atUpstream(issuer, (await browser.get('/console/sign-in')).url, 'eve'));
      own.searchParams.set(name, value);
      const page = await browser.get(own.href);
      t.notOk(sessionOf(browser), name);
      return page;
    };
    t.match(
      await changed('code', returned.searchParams.get('code')!),
      { status: 400 },
      'a code of another sign-in',
    );
    t.match(await changed('state', 'A'.repeat(43)), { status: 400 });
    t.match(await changed('iss', 'https://elsewhere.example'), {
      status: 502,
      text: /refused: its answer is not valid/,
    });
    const browser = new Browser(base);
    const used = await atUpstream(issuer, (await browser.get('/console/sign-in')).url, 'eve');
    t.match(await browser.get(used), { status: 200, url: `${base}/console` });
    t.match(await browser.get(used), { status: 400 }, 'a second time');
  });

  await t.test('refusals of the issuer are told in its words, without markup', async (t) => {
    const refused = async (fields: Readonly<Record<string, string>>) => {
      const browser = new Browser(base);
      const asked = new URL((await browser.get('/console/sign-in')).url);
      const query = new URLSearchParams({
        ...fields,
        state: asked.searchParams.get('state')!,
        iss: issuer.issuer,
      });
      return browser.get(`/console/signed-in?${query}`);
    };
    t.match(await refused({ error: 'access_denied' }), { status: 200, url: `${base}/console` }, 'cancelled');
    t.match(await refused({ error: 'temporarily_unavailable' }), { status: 503 });
    const told = await refused({ error: 'unauthorized_client', error_description: 'No such client.' });
    t.match(told, { status: 502, text: /refused: unauthorized_client \(No such client\.\)/ });
    const markup = await refused({ error: 'x', error_description: '<img src=x onerror=alert(1)>' });
    t.notMatch(markup.text, '<img');
    t.match(await refused({}), { status: 400 }, 'neither a code nor an error');
  });

  await t.test('signing out at the issuer ends the sessions of that sign-in only', async (t) => {
    const there = new Browser(issuer.issuer);
    const [ended, other] = [new Browser(base), new Browser(base)];
    await signIn('ben', ended, there);
    await signIn('ben', other);
    const form = await there.get('/session/end');
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(form.text)![1]!;
    await there.post('/session/end/confirm', { xsrf, logout: 'yes' });
    t.equal((await me(ended)).status, 401);
    t.equal((await me(other)).status, 200);
  });

  await t.test('"sign out everywhere" and the deletion of the account end the session', async (t) => {
    const browser = new Browser(base);
    await signIn('cy', browser);
    await signOutEverywhere(sql, 'cy', []);
    t.equal((await me(browser)).status, 401);
    await sql`update users set tokens_not_before = null where uid = 'cy'`;
    await signIn('cy', browser);
    t.equal((await me(browser)).status, 200);
    await beginDeletion(sql, 'cy');
    t.equal((await me(browser)).status, 403, 'being deleted');
    t.match(await signIn('cy'), { status: 400 }, 'no new session');
  });
});

t.test('ID tokens are checked, and clocks may differ by 30 seconds', async (t) => {
  const { issuer, next } = await startSigner(t);
  const own = next.key;
  const api = await startApi(t, { ID_TOKEN_ISSUER: issuer, CONSOLE_CLIENT_ID: 'console' });
  const { privateKey: foreign } = await generateKeyPair('ES256');
  for (const [name, change, status, text, key] of [
    ['right', {}, 200, 'data-sign-in'],
    ['a clock that is 20 s late', { iat: -3620, exp: -20 }, 200, 'data-sign-in'],
    ['a clock that is 60 s late', { iat: -3660, exp: -60 }, 502, 'differ too much'],
    ['a clock that is 60 s early', { nbf: 60 }, 502, 'differ too much'],
    ['another audience', { aud: 'cochlea' }, 502, 'its answer is not valid'],
    ['another issuer', { iss: 'https://elsewhere.example' }, 502, 'its answer is not valid'],
    ['another nonce', { nonce: 'n' }, 502, 'its answer is not valid'],
    ['a uid with a control character', { sub: 'a\u0001' }, 400, 'This sign-in has ended'],
    ['another key', {}, 502, 'its answer is not valid', foreign],
  ] as const) {
    const browser = new Browser(api.base);
    const asked = new URL((await browser.get('/console/sign-in?here')).url).searchParams;
    const now = Math.floor(Date.now() / 1000);
    const times: Record<string, number> = { iat: 0, exp: 3600 };
    const { iat, exp, nbf, ...claims } = { ...times, ...change } as Record<string, number>;
    next.claims = {
      iss: issuer,
      aud: 'console',
      sub: 'ann',
      nonce: asked.get('nonce'),
      iat: now + iat!,
      exp: now + exp!,
      ...(nbf !== undefined && { nbf: now + nbf }),
      ...claims,
    };
    next.key = key ?? own;
    const page = await browser.get(
      `/console/signed-in?${new URLSearchParams({ code: 'c', state: asked.get('state')! })}`,
    );
    t.match([page.status, page.text], [status, text], name);
    t.equal(sessionOf(browser) !== '', status === 200, name);
  }
});

t.test('logout tokens are checked', async (t) => {
  const { issuer, sign } = await startSigner(t);
  const api = await startApi(t, {
    ID_TOKEN_ISSUER: issuer,
    ID_TOKEN_JWKS: `${issuer}/keys`,
    CONSOLE_CLIENT_ID: 'console',
  });
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const now = Math.floor(Date.now() / 1000);
  const right = { iss: issuer, aud: 'console', sub: 'dee', iat: now, exp: now + 60, jti: 'a', events: event };
  const sent = async (claims: object, typ = 'logout+jwt', key?: CryptoKey): Promise<number> => {
    const token = await sign(claims, typ, key);
    const body = new URLSearchParams({ logout_token: token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await api.call('/console/issuer-logout', { body, headers })).status;
  };
  await createUser(api.sql, { uid: 'dee' });
  const cookie = await consoleSession(api.sql, 'dee');
  const alive = async () => (await api.sql`select 1 from console_sessions where uid = 'dee'`).length;
  t.ok(cookie);

  const { privateKey: foreign } = await generateKeyPair('ES256');
  for (const [name, claims, typ, key] of [
    ['another audience', { ...right, aud: 'cochlea' }],
    ['another issuer', { ...right, iss: 'https://elsewhere.example' }],
    ['no event', { ...right, events: {} }],
    ['events that are a text', { ...right, events: 'http://schemas.openid.net/event/backchannel-logout' }],
    ['a nonce, as in an ID token', { ...right, nonce: 'n' }],
    ['nobody', { ...right, sub: undefined }],
    ['a session that is no text', { ...right, sub: undefined, sid: 7 }],
    ['an old token', { ...right, iat: now - 700 }],
    ['an expired token', { ...right, exp: now - 60 }],
    ['an access token', right, 'at+jwt'],
    ['another key', right, 'logout+jwt', foreign],
  ] as const) {
    t.equal(await sent(claims, typ, key), 400, name);
    t.equal(await alive(), 1, name);
  }
  for (const body of ['', 'logout_token=x', `logout_token=${'x'.repeat(9000)}`, '{"logout_token":"x"}'])
    for (const type of ['application/x-www-form-urlencoded', 'application/json'])
      t.equal(
        (
          await api.call('/console/issuer-logout', {
            method: 'POST',
            body,
            headers: { 'content-type': type },
          })
        ).status,
        400,
      );

  await api.sql`update console_sessions set created_at = created_at + interval '1 hour' where uid = 'dee'`;
  t.equal(await sent(right), 200);
  t.equal(await alive(), 1, 'a token that is sent again ends no later session');
  await api.sql`update console_sessions set created_at = created_at - interval '2 hours' where uid = 'dee'`;
  t.equal(await sent({ ...right, sub: undefined, sid: 'unknown' }), 200);
  t.equal(await sent({ ...right, sid: 'unknown' }), 200);
  t.equal(await alive(), 1, 'another session of the issuer');
  t.equal(await sent({ ...right, sub: 'another' }), 200);
  t.equal(await alive(), 1, 'another user');
  t.equal(await sent(right), 200);
  t.equal(await alive(), 0);
});

t.test('an issuer that does not answer is named in words, and tried again', async (t) => {
  const port = await freePort();
  const api = await startApi(t, {
    ID_TOKEN_ISSUER: `http://127.0.0.1:${port}`,
    CONSOLE_CLIENT_ID: 'cochlea',
  });
  for (let times = 0; times < 2; times++) {
    const page = await new Browser(api.base).get('/console/sign-in?here');
    t.match(page, { status: 502, text: /The service where people sign in does not answer/ });
  }
});

t.test('without a client of the console, only links begin a session', async (t) => {
  const api = await startApi(t, { ID_TOKEN_ISSUER: 'https://issuer.example' });
  for (const path of ['/console/sign-in', '/console/signed-in'])
    t.equal((await api.call(path)).status, 404, path);
  t.equal((await api.call('/console/issuer-logout', { method: 'POST' })).status, 404);
  t.notMatch((await api.call('/console')).body, 'data-sign-in');
});

t.test('settings that contradict each other are refused', async (t) => {
  for (const environment of [
    { CONSOLE_CLIENT_ID: 'x' },
    { CONSOLE_CLIENT_SECRET: 'x' },
    { CONSOLE_CLIENT_ID: 'x', ID_TOKEN_ISSUER: 'cochlea', ID_TOKEN_JWKS: 'https://issuer.example/keys' },
    { CONSOLE_CLIENT_ID: 'x', ID_TOKEN_ISSUER: 'http://issuer.example' },
  ])
    t.throws(() => loadSettings(environment), { code: 'setting_invalid' }, JSON.stringify(environment));
  t.equal(
    loadSettings({ CONSOLE_CLIENT_ID: 'x', ID_TOKEN_ISSUER: 'https://issuer.example' }).values
      .consoleClientId,
    'x',
  );
});
