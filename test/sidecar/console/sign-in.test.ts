/** Tests the sign-in at the console with an account of the built-in issuer, and attacks on it. */
import t from 'tap';
import { Browser, startIssuer } from '../issuer/sign-in-support.js';
import type { Answer } from '../support.js';

const email = 'ann@example.org';
const session = 'cochlea_console@/';

/** Signs a browser in at the console. @returns the page where it ends. */
const signIn = async (browser: Browser, address = email) =>
  browser.signIn(await browser.get('/console/sign-in'), address);

/** Returns the `Cookie` header of a browser. */
const cookiesOf = (browser: Browser): string =>
  [...browser.cookies].map(([name, { value }]) => `${name.split('@')[0]}=${value}`).join('; ');

t.test('a person signs in at the console', async (t) => {
  const api = await startIssuer(t);
  /** Asks the console which user is signed in, as a page of the console does. */
  const me = (browser: Browser): Promise<Answer> =>
    api.call('/console/api/me', { headers: { 'sec-fetch-site': 'same-origin', cookie: cookiesOf(browser) } });
  await api.account(email);

  await t.test('with a password, and without a question about consent', async (t) => {
    const browser = new Browser(api.base);
    const page = await signIn(browser);
    t.match(page, { status: 200, url: `${api.base}/console` });
    t.match(await me(browser), { status: 200, body: { address: email } });
    t.equal([...browser.cookies.keys()].filter((name) => name.startsWith('cochlea_console')).length, 1);
    const rows = await api.sql<{ n: number }[]>`select count(*)::int as n from console_sessions`;
    t.equal(rows[0]!.n, 1);
  });

  await t.test('signing out asks the next person for a password', async (t) => {
    const browser = new Browser(api.base);
    await signIn(browser);
    const again = await browser.get('/console/sign-in');
    t.equal(again.url, `${api.base}/console`, 'a person who is signed in is not asked again');
    const cookie = cookiesOf(browser);
    const left = await api.call('/console/api/sign-out', {
      method: 'POST',
      headers: { origin: api.base, 'sec-fetch-site': 'same-origin', 'x-cochlea-console': '1', cookie },
    });
    t.match(left, { status: 200, body: { continue_at: null } });
    t.equal((await me(browser)).status, 401);
    t.match((await browser.get('/console/sign-in')).text, 'name="password"');
    t.match((await browser.get('/account')).text, 'name="password"');
  });

  await t.test('"sign out everywhere" and a new password end the session', async (t) => {
    for (const end of ['sign-out-everywhere', 'password']) {
      const browser = new Browser(api.base);
      await signIn(browser);
      if (end === 'password') await api.account(email);
      else {
        const token = /name="token" value="([\w-]+)"/.exec((await browser.get('/account')).text)![1]!;
        await browser.post('/account/sign-out-everywhere', { token });
      }
      t.equal((await me(browser)).status, 401, end);
    }
  });

  await t.test('cancelling leads back to the console', async (t) => {
    const browser = new Browser(api.base);
    const form = await browser.get('/console/sign-in');
    const page = await browser.post(`${new URL(form.url).pathname}/deny`, {});
    t.match(page, { status: 200, url: `${api.base}/console` });
    t.notOk(browser.cookies.has(session));
  });

  await t.test('a redirect works only in the browser that began the sign-in', async (t) => {
    const attacker = new Browser(api.base);
    await signIn(attacker);
    // The attacker has begun a sign-in. The victim opens an address like that to which the attacker's sign-in
    // redirects.
    const query = new URLSearchParams({ code: 'svc_code_x', state: 'A'.repeat(43) });
    for (const prepare of [false, true]) {
      const victim = new Browser(api.base);
      if (prepare) await victim.get('/console/sign-in');
      const page = await victim.get(`/console/signed-in?${query}`);
      t.match(page, { status: 400, text: /This sign-in has ended, or began in another browser/ });
      t.notOk(victim.cookies.has(session));
    }
  });

  await t.test('a refused code opens nothing', async (t) => {
    const browser = new Browser(api.base);
    const form = await browser.get('/console/sign-in');
    const record = await api.sql<{ state: string }[]>`
      select payload -> 'params' ->> 'state' as state from issuer_records
      where kind = 'Interaction' order by created_at desc limit 1`;
    t.equal(form.status, 200);
    const query = new URLSearchParams({ code: 'svc_code_unknown', state: record[0]!.state });
    const page = await browser.get(`/console/signed-in?${query}`);
    t.match(page, { status: 400, text: /This sign-in has ended/ });
    t.notOk(browser.cookies.has(session));
  });
});

t.test('the number of requests of one address is limited', async (t) => {
  const api = await startIssuer(t, { MAX_SIGN_IN_REQUESTS_PER_ADDRESS: '2', RATE_LIMIT_BOOST: '1' });
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent++) {
    const answer = await api.call('/console/signed-in?state=x', {
      headers: { 'x-forwarded-for': '192.0.2.7' },
    });
    statuses.push(answer.status);
  }
  t.same(statuses, [400, 400, 429]);
});
