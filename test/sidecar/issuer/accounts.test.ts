/** Tests accounts and browser sessions: what users can do, and what attackers cannot. */
import * as client from 'openid-client';
import t, { type Test } from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { startApi } from '../support.js';
import { Browser, type Page, password, type SignInApi, startIssuer } from './sign-in-support.js';

const signedIn = async (api: SignInApi, email: string, secret = password): Promise<Browser> => {
  const browser = new Browser(api.base);
  const page = await browser.signIn(await browser.get('/account'), email, secret);
  if (page.url !== `${api.base}/account`) throw new Error(`not signed in: ${page.status} ${page.text}`);
  return browser;
};

/**
 * Enters the password in a browser without a session, but does not follow the redirect after it. Returns the address
 * that would complete the sign-in.
 */
const proved = async (browser: Browser, api: SignInApi, email: string): Promise<string> => {
  browser.forget('cochlea_session');
  const page = await browser.get('/account');
  const interaction = new URL(page.url).pathname;
  await browser.post(`${interaction}/sign-in`, { email, password }, api.base, 'stay');
  return interaction.replace('/interaction/', '/authorize/');
};

/** Finds the form of a button on the account page. Returns its address and its hidden fields. */
const formOf = (page: Page, button: string): [address: string, fields: Record<string, string>] => {
  const form = new RegExp(
    `action="([^"]+)"><input type="hidden" name="token" value="([^"]+)"><button[^>]*>${button}`,
  );
  const [, address, token] = form.exec(page.text)!;
  return [address!, { token: token! }];
};

t.test('accounts', async (t: Test) => {
  const api = await startIssuer(t);

  t.test('an account is created when its password is set, and a link works once', async (t) => {
    const browser = new Browser(api.base);
    t.equal((await browser.post('/account/link', { email: ' Ann@Example.org ' })).status, 200);
    const address = await api.link('ann@example.org');
    t.same(await api.sql`select uid from accounts`, [], 'the mail alone creates no account');
    t.match((await browser.get(address)).text, 'ann@example.org');
    const link = address.split('link=')[1]!;
    t.equal((await browser.post('/account/password', { link, password: 'short' })).status, 400);
    t.equal((await browser.post('/account/password', { link, password })).status, 200);
    t.equal((await browser.post('/account/password', { link, password: 'another one' })).status, 410);
    t.equal((await browser.get(address)).status, 410);
    const [row] = await api.sql<{ password_hash: string }[]>`select password_hash from accounts`;
    t.match(row!.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await signedIn(api, 'ANN@example.org');
  });

  t.test('a link sets the password of a user that the operator created', async (t) => {
    await createUser(api.sql, { uid: 'made-by-operator', email: 'Ben@Example.org' });
    await api.account('ben@example.org');
    t.match(await api.sql`select uid from accounts where email = 'ben@example.org'`, [
      { uid: 'made-by-operator' },
    ]);
  });

  t.test('answers do not reveal whether an address has an account', async (t) => {
    const without = (page: Page, email: string): object => ({
      status: page.status,
      text: page.text.replaceAll(email, '').replace(/\/interaction\/[\w-]+/g, ''),
    });
    const asked: object[] = [];
    const tried: object[] = [];
    for (const email of ['ann@example.org', 'unknown@example.org', 'no address', '']) {
      asked.push(without(await new Browser(api.base).post('/account/link', { email }), email));
      const browser = new Browser(api.base);
      tried.push(
        without(await browser.signIn(await browser.get('/account'), email, 'wrong password'), email),
      );
    }
    t.match(asked[0], { status: 200 });
    t.match(tried[0], { status: 401 });
    for (const answer of asked) t.same(answer, asked[0]);
    for (const answer of tried) t.same(answer, tried[0]);
  });

  t.test('a new password ends all earlier sessions', async (t) => {
    await api.account('cy@example.org');
    const thief = await signedIn(api, 'cy@example.org');
    const resume = await proved(thief, api, 'cy@example.org');
    await api.account('cy@example.org', 'a new password');
    t.match((await thief.get('/account')).text, 'Sign in');
    t.match((await thief.get(resume)).status, 400, 'a sign-in before the change cannot be completed');
    t.match((await thief.get('/account')).text, 'Sign in');
    const browser = new Browser(api.base);
    t.equal((await browser.signIn(await browser.get('/account'), 'cy@example.org')).status, 401);
    await signedIn(api, 'cy@example.org', 'a new password');
  });

  t.test('signs out this browser, another browser, or all browsers', async (t) => {
    await api.account('dee@example.org');
    const [one, two, three] = [
      await signedIn(api, 'dee@example.org'),
      await signedIn(api, 'dee@example.org'),
      await signedIn(api, 'dee@example.org'),
    ];
    const isIn = async (browser: Browser): Promise<boolean> =>
      (await browser.get('/account')).text.includes('Your account');
    await two.post(...formOf(await two.get('/account'), 'Sign out<'));
    t.same([await isIn(one), await isIn(two), await isIn(three)], [true, false, true]);
    await one.post(...formOf(await one.get('/account'), 'Sign out browser'));
    t.same([await isIn(one), await isIn(three)], [true, false]);
    const four = await signedIn(api, 'dee@example.org');
    const pending = new Browser(api.base);
    const resume = await proved(pending, api, 'dee@example.org');
    await one.post(...formOf(await one.get('/account'), 'Sign out everywhere'));
    t.same([await isIn(one), await isIn(four)], [false, false]);
    t.equal((await pending.get(resume)).status, 400, 'an incomplete sign-in ends too');
  });

  t.test('a changed password hash ends sessions', async (t) => {
    await api.account('eve@example.org');
    const browser = await signedIn(api, 'eve@example.org');
    await api.sql`update accounts set password_hash = 'another' where email = 'eve@example.org'`;
    t.match((await browser.get('/account')).text, 'Sign in');
  });

  t.test('an old sign-in page does not switch to another account', async (t) => {
    const browser = new Browser(api.base);
    const page = await browser.get('/account');
    await browser.signIn(await browser.get('/account'), 'ann@example.org');
    const other = await browser.signIn(page, 'ben@example.org');
    t.equal(other.status, 409, 'a sign-in page from before the session does not switch accounts');
    t.match((await browser.get('/account')).text, 'ann@example.org');
  });

  t.test('refuses forms of other origins, sessions and browsers', async (t) => {
    const browser = await signedIn(api, 'ann@example.org');
    const [address, fields] = formOf(await browser.get('/account'), 'Sign out everywhere');
    for (const origin of ['https://evil.example', 'null', '', `${api.base}.evil.example`]) {
      t.equal((await browser.post(address, fields, origin)).status, 403, `origin ${origin}`);
      t.equal((await browser.post('/account/link', { email: 'x@example.org' }, origin)).status, 403);
    }
    const broken = await fetch(`${api.base}/account/link`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'x-forwarded-host': '[' },
    });
    t.equal(broken.status, 403, 'with a malformed host');
    const other = await signedIn(api, 'ben@example.org');
    const [, foreign] = formOf(await other.get('/account'), 'Sign out everywhere');
    t.equal((await browser.post(address, foreign)).status, 403, 'the token of another session');
    t.equal((await browser.post(address, {})).status, 403);
    t.match((await browser.get('/account')).text, 'Your account');

    const page = await new Browser(api.base).get('/account');
    const stolen = await new Browser(api.base).signIn(page, 'ann@example.org');
    t.equal(stolen.status, 400, 'an interaction of another browser');
    t.match(await new Browser(api.base).get(new URL(page.url).pathname), { status: 400 });
  });

  t.test('a sign-in gives the browser a new session id', async (t) => {
    const browser = new Browser(api.base);
    const page = await browser.get('/account');
    const before = [...browser.cookies.values()].map(({ value }) => value);
    await browser.signIn(page, 'ann@example.org');
    const session = [...browser.cookies].find(([name]) => name.startsWith('cochlea_session@'))!;
    t.notOk(before.includes(session[1].value));
  });

  t.test('every page forbids scripts, frames and caching', async (t) => {
    const browser = new Browser(api.base);
    for (const path of [
      '/account',
      '/account/sign-up',
      '/account/forgotten',
      '/account/password',
      '/authorize',
    ]) {
      const { headers, text } = await browser.get(path);
      t.match(headers.get('content-security-policy'), /default-src 'none'.*frame-ancestors 'none'/, path);
      t.equal(headers.get('cache-control'), 'no-store', path);
      t.equal(headers.get('x-content-type-options'), 'nosniff', path);
      t.notMatch(text, /<script|style=|onclick/, path);
    }
    const raw = await fetch(`${api.base}/account`, { redirect: 'manual' });
    const begun = await fetch(new URL(raw.headers.get('location')!, api.base), { redirect: 'manual' });
    const cookies = begun.headers.getSetCookie();
    t.ok(cookies.length > 0);
    for (const cookie of cookies) t.match(cookie, /httponly.*samesite=lax|samesite=lax.*httponly/i);
    const injected = await browser.signIn(await browser.get('/account'), '"><script>alert(1)</script>@x.org');
    t.notMatch(injected.text, '<script>');
  });

  t.test(
    'the application of the service signs in with a loopback redirect, renews its tokens, and is signed out',
    async (t) => {
      const server = await client.discovery(new URL(api.base), 'cochlea', undefined, client.None(), {
        execute: [client.allowInsecureRequests],
      });
      const verifier = client.randomPKCECodeVerifier();
      const address = client.buildAuthorizationUrl(server, {
        redirect_uri: 'http://127.0.0.1:45678/callback',
        scope: 'openid offline_access',
        prompt: 'consent',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 'as it was',
        nonce: 'once',
      });
      const browser = await signedIn(api, 'ann@example.org');
      const consent = await browser.get(address.href);
      t.match(consent.text, '127.0.0.1:45678', 'asks for consent although the user is signed in');
      const code = await browser.post(`${new URL(consent.url).pathname}/consent`, {});
      const checks = { pkceCodeVerifier: verifier, expectedState: 'as it was', expectedNonce: 'once' };
      const tokens = await client.authorizationCodeGrant(server, new URL(code.url), checks);
      t.match(tokens.claims(), { iss: api.base, aud: 'cochlea' });
      const settings = async (credential: string): Promise<number> =>
        (await api.call('/v1/users/settings', { credential })).status;
      t.equal(await settings(tokens.id_token!), 200);
      t.equal(await settings(tokens.access_token), 401, 'the access token is not accepted');
      const renewed = await client.refreshTokenGrant(server, tokens.refresh_token!);
      t.equal(await settings(renewed.id_token!), 200);
      await api.sql`update issuer_records set created_at = '2001-01-01' where kind = 'Session'`;
      const listed = await api.call('/v1/users/sessions', { credential: renewed.id_token });
      t.ok(listed.body.sessions.length >= 1);
      const age = Date.now() - Date.parse(listed.body.sessions[0].created_at);
      t.ok(age < 600_000, 'the session list shows the time of the sign-in');
      await api.call('/v1/users/sessions', { method: 'DELETE', credential: renewed.id_token });
      t.match((await browser.get('/account')).text, 'Sign in');
      await t.rejects(client.refreshTokenGrant(server, renewed.refresh_token!));
    },
  );

  t.test('the command line signs in through /v1/auth', async (t) => {
    const verifier = client.randomPKCECodeVerifier();
    const redirect_uri = 'http://127.0.0.1:34567/callback';
    const begin = async (more: Record<string, string> = {}) =>
      `/v1/auth/authorize?${new URLSearchParams({
        redirect_uri,
        state: 'mine',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...more,
      })}`;
    const browser = await signedIn(api, 'ann@example.org');
    const consent = await browser.get(await begin());
    const { url } = await browser.post(`${new URL(consent.url).pathname}/consent`, {});
    const query = new URL(url).searchParams;
    t.ok(url.startsWith(redirect_uri));
    t.equal(query.get('state'), 'mine');
    const ask = async (fields: Record<string, string>) => {
      const answer = await fetch(`${api.base}/v1/auth/token`, {
        method: 'POST',
        body: new URLSearchParams(fields),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, string> };
    };
    const code = {
      grant_type: 'authorization_code',
      code: query.get('code')!,
      redirect_uri,
      code_verifier: verifier,
    };
    const { body } = await ask(code);
    t.match(body, { token_type: 'Bearer', expires_in: Number, id_token: String, refresh_token: String });
    t.equal((await api.call('/v1/users/settings', { credential: body.id_token })).status, 200);
    const renewed = await ask({ grant_type: 'refresh_token', refresh_token: body.refresh_token! });
    t.equal(renewed.status, 200);
    t.match(await ask(code), { status: 400, body: { error: 'invalid_grant' } });
    t.match(await ask({ grant_type: 'refresh_token', refresh_token: renewed.body.refresh_token! }), {
      status: 400,
    });

    const pages = new Browser(api.base);
    const six = await pages.get(await begin({ redirect_uri: 'http://[::1]:34567/callback' }));
    t.match(
      six.headers.get('content-security-policy'),
      "form-action 'self' http:;",
      'Content-Security-Policy cannot name an IPv6 address',
    );
    t.equal((await pages.get(await begin({ provider: 'nowhere' }))).status, 400);
    for (const other of [
      'http://127.0.0.1:34567/other',
      'http://evil.example/callback',
      'https://127.0.0.1/callback',
    ]) {
      const refused = await pages.get(await begin({ redirect_uri: other }));
      t.equal(refused.status, 400, other);
      t.ok(refused.url.startsWith(api.base), 'not redirected');
    }
  });

  t.test('a deleted user is signed out everywhere', async (t) => {
    await api.account('gone@example.org');
    const browser = await signedIn(api, 'gone@example.org');
    await api.sql`delete from users where email = 'gone@example.org'`;
    t.match((await browser.get('/account')).text, 'Sign in');
    t.same(
      await api.sql`select 1 from issuer_records r where r.uid is not null and not exists (select from users u where u.uid = r.uid)`,
      [],
    );
  });
});

t.test('without sign-up, only known addresses get mail', async (t) => {
  const api = await startIssuer(t, { SIGN_UP: 'closed' });
  await createUser(api.sql, { uid: 'ann', email: 'ann@example.org' });
  const browser = new Browser(api.base);
  t.equal((await browser.get('/account/sign-up')).status, 403);
  const page = await browser.get('/account');
  t.notMatch(page.text, '/account/sign-up');
  const denied = await browser.post(`${new URL(page.url).pathname}/deny`, {});
  t.match(denied.text, 'You are not signed in', 'a cancelled sign-in does not repeat');
  await browser.post('/account/link', { email: 'stranger@example.org' });
  await browser.post('/account/link', { email: 'ann@example.org' });
  t.match(await api.link('ann@example.org'), '/account/password?link=');
  t.equal(await api.mails('stranger@example.org'), 0);

  await createUser(api.sql, { uid: 'zoe', email: 'zoe@example.org' });
  await api.sql`insert into upstream_identities (issuer, subject, uid) values ('https://login.example', 'zoe', 'zoe')`;
  await createUser(api.sql, { uid: 'old', email: 'old@example.org' });
  await api.account('old@example.org');
  await api.sql`update users set email = 'new@example.org' where uid = 'old'`;
  for (const email of ['zoe@example.org', 'new@example.org']) await browser.post('/account/link', { email });
  const [, late] = (await api.linkFor('ann@example.org')).split('link=');
  t.equal(await api.mails('zoe@example.org'), 0, 'a user of another service was not created by the operator');
  t.equal(await api.mails('new@example.org'), 0, 'the user has an account with another address');
  await api.sql`delete from users where uid = 'ann'`;
  t.equal(
    (await browser.post('/account/password', { link: late!, password })).status,
    410,
    'the user was deleted after the mail',
  );
  t.equal((await api.sql`select uid from accounts where email = 'ann@example.org'`).length, 0);
});

t.test("with the operator's own issuer, the sign-in pages do not exist", async (t) => {
  const api = await startApi(t, {
    ID_TOKEN_ISSUER: 'https://issuer.example',
    ID_TOKEN_JWKS: 'https://issuer.example/k',
  });
  for (const path of ['/account', '/authorize?client_id=x', '/account/sign-up']) {
    t.equal((await api.call(path)).status, 404, path);
  }
});
