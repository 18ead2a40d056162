/** Tests signing in with another service, which is a real oidc-provider. */
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { Browser, type Page, password, startIssuer } from './sign-in-support.js';
import { atUpstream, startUpstream, upstreamSecret } from './upstream-support.js';

t.test('sign-in with another service', async (t: Test) => {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const upstream = await startUpstream(t, [`${base}/v1/auth/callback/other`]);
  const provider = { name: 'other', label: 'Other', issuer: upstream.issuer, client_id: 'cochlea' };
  const api = await startIssuer(t, {
    SIDECAR_PORT: port,
    PUBLIC_URL: base,
    UPSTREAM_PROVIDERS: JSON.stringify([
      { ...provider, client_secret: upstreamSecret },
      { ...provider, name: 'away', label: 'Away', issuer: 'http://127.0.0.1:9' },
    ]),
  });

  const begin = async (browser: Browser, path = '/account'): Promise<Page> => {
    const page = await browser.get(path);
    return browser.get(`${new URL(page.url).pathname}/with/other`);
  };
  const signIn = async (subject: string, browser = new Browser(base)): Promise<Page> => {
    const away = await begin(browser);
    return browser.get(await atUpstream(upstream, away.url, subject));
  };
  const users = () => api.sql<{ uid: string; email: string | null; name: string | null }[]>`
    select u.uid, u.email, u.name from users u join upstream_identities i on i.uid = u.uid order by i.created_at`;

  t.test('the first sign-in creates a user, and later sign-ins find it', async (t) => {
    upstream.people.set('ann', { email: 'Ann@example.org', email_verified: true, name: 'Ann' });
    t.match(await new Browser(base).get('/account'), { text: /Sign in with Other/ });
    const page = await signIn('ann');
    t.equal(page.url, `${base}/account`);
    t.match(page.text, 'ann@example.org');
    await signIn('ann');
    t.match(await users(), [{ email: 'ann@example.org', name: 'Ann' }]);
  });

  t.test("an equal mail address does not give access to another user's account", async (t) => {
    await api.account('ben@example.org');
    upstream.people.set('thief', { email: 'ben@example.org', email_verified: true });
    t.notMatch((await signIn('thief')).text, 'ben@example.org');
    upstream.people.set('liar', { email: 'cy@example.org', email_verified: false });
    t.notMatch((await signIn('liar')).text, 'cy@example.org');
    const [ann] = await users();
    await api.account('ann@example.org');
    const browser = new Browser(base);
    await browser.signIn(await browser.get('/account'), 'ann@example.org', password);
    const [account] = await api.sql`select uid from accounts where email = 'ann@example.org'`;
    t.not(account!.uid, ann!.uid, 'also in the reverse order');
  });

  t.test('a callback works only in its own browser, for its own sign-in, and once', async (t) => {
    const victim = new Browser(base);
    const attacker = new Browser(base);
    const returned = await atUpstream(upstream, (await begin(attacker)).url, 'ann');
    t.equal((await victim.get(returned)).status, 400, 'in another browser');
    await begin(victim);
    t.equal((await victim.get(returned)).status, 400, 'in another browser that is also signing in');
    const forged = new URL(returned);
    forged.searchParams.set('state', `${forged.searchParams.get('state')!.slice(0, -1)}_`);
    t.equal((await attacker.get(forged.href)).status, 502, 'another state');
    const injected = new URL(returned);
    injected.searchParams.set('code', 'of-another-person');
    t.equal((await attacker.get(injected.href)).status, 502, 'another code');
    t.equal((await attacker.get(returned)).url, `${base}/account`, 'in its own browser');
    t.equal((await attacker.get(returned)).status, 400, 'a second time');
    for (const path of [
      '/v1/auth/callback/other',
      '/v1/auth/callback/other?state=x',
      '/v1/auth/callback/none?state=x',
    ]) {
      t.equal((await attacker.get(path)).status, 400, path);
    }
  });

  t.test('reports a denied sign-in and an unreachable service', async (t) => {
    const browser = new Browser(base);
    const away = new URL((await begin(browser)).url);
    const state = away.searchParams.get('state')!;
    const query = new URLSearchParams({ error: 'access_denied', state, iss: upstream.issuer });
    const denied = await browser.get(`/v1/auth/callback/other?${query}`);
    t.equal(denied.status, 502);
    t.match(denied.text, 'The sign-in at Other failed');
    const page = await browser.get('/account');
    t.equal((await browser.get(`${new URL(page.url).pathname}/with/away`)).status, 502);
    t.equal((await browser.get(`${new URL(page.url).pathname}/with/nowhere`)).status, 404);
  });

  t.test('an application can name the service in its request', async (t) => {
    const query = new URLSearchParams({
      provider: 'other',
      redirect_uri: 'http://127.0.0.1:45678/callback',
      state: 's',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    const browser = new Browser(base);
    const away = await browser.get(`/v1/auth/authorize?${query}`);
    t.ok(away.url.startsWith(`${upstream.issuer}/`), 'redirects directly to the service');
    const consent = await browser.get(await atUpstream(upstream, away.url, 'ann'));
    t.match(consent.text, '127.0.0.1:45678');
  });
});

t.test('without sign-up, unknown users of another service are refused', async (t: Test) => {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const upstream = await startUpstream(t, [`${base}/v1/auth/callback/other`]);
  const provider = {
    name: 'other',
    label: 'Other',
    issuer: upstream.issuer,
    client_id: 'cochlea',
    client_secret: upstreamSecret,
  };
  const api = await startIssuer(t, {
    SIDECAR_PORT: port,
    PUBLIC_URL: base,
    SIGN_UP: 'closed',
    UPSTREAM_PROVIDERS: JSON.stringify([provider]),
  });
  const browser = new Browser(base);
  const page = await browser.get('/account');
  const away = await browser.get(`${new URL(page.url).pathname}/with/other`);
  const other = new Browser(upstream.issuer);
  let at = await other.get(away.url);
  for (const prompt of ['login', 'consent']) {
    at = await other.post(new URL(at.url).pathname, { prompt, login: 'eve', password: 'any' });
  }
  t.equal((await browser.get(at.url)).status, 403);
  t.same(await api.sql`select uid from users`, []);
});

t.test('refuses insecure settings of services and clients', async (t) => {
  const { loadSettings } = await import('../../../src/config/load-settings.js');
  const good = { name: 'other', label: 'Other', issuer: 'https://other.example', client_id: 'c' };
  const load = (change: object) => () =>
    loadSettings({ UPSTREAM_PROVIDERS: JSON.stringify([{ ...good, ...change }]) });
  load({})();
  for (const change of [
    { issuer: 'http://other.example' },
    { name: 'password' },
    { name: '../x' },
    { secret: 'x' },
  ]) {
    t.throws(load(change), { code: 'setting_invalid' }, JSON.stringify(change));
  }
  const clients = (change: object) => () =>
    loadSettings({
      OAUTH_CLIENTS: JSON.stringify([
        { id: 'a', name: 'A', redirect_uris: ['https://a.example/c'], ...change },
      ]),
    });
  clients({})();
  for (const change of [
    { redirect_uris: ['http://a.example/c'] },
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: ['https://a.example/c#d'] },
    { redirect_uris: ['https://user@a.example/c'] },
    { redirect_uris: [], redirect_prefixes: ['https://a.example'] },
    { redirect_uris: [], redirect_prefixes: ['https://a.example/c'] },
    { redirect_uris: [], redirect_prefixes: ['https://a.example/?x=/'] },
    { redirect_uris: [] },
    { secret_sha256: 'plain' },
  ]) {
    t.throws(clients(change), { code: 'setting_invalid' }, JSON.stringify(change));
  }
});
