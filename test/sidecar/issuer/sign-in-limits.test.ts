/** Tests the limits of guessed passwords, mails and sign-in requests. */
import t from 'tap';
import { until } from '../../support/until.js';
import { Browser, password, startIssuer } from './sign-in-support.js';

t.test('limits of sign-in', async (t) => {
  const api = await startIssuer(t, { RATE_LIMIT_BOOST: '1', MAX_SIGN_IN_REQUESTS_PER_ADDRESS: '40' });
  await api.account('ann@example.org');
  await api.account('ben@example.org');

  t.test('allows ten wrong passwords of an address', async (t) => {
    const browser = new Browser(api.base);
    const page = await browser.get('/account');
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) {
      statuses.push((await browser.signIn(page, 'ann@example.org', `guess ${guess}`)).status);
    }
    t.same(statuses, [...Array(10).fill(401), 429]);
    t.equal((await browser.signIn(page, 'Ann@example.org')).status, 429, 'the right password is refused too');
    const ben = await browser.signIn(page, 'ben@example.org', password);
    t.equal(ben.url, `${api.base}/account`, 'other accounts can sign in');
  });

  t.test('limits unknown addresses in the same way', async (t) => {
    const browser = new Browser(api.base);
    const page = await browser.get('/account');
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) {
      statuses.push((await browser.signIn(page, 'unknown@example.org', `guess ${guess}`)).status);
    }
    t.same(statuses, [...Array(10).fill(401), 429]);
  });

  /**
   * Tries wrong passwords. `client` returns the client address of each try. Returns how many tries were answered 401
   * and 429.
   */
  const guessed = async (email: string, guesses: number, client: (guess: number) => string) => {
    const counts = { wrong: 0, limited: 0 };
    for (let guess = 0; guess < guesses; guess++) {
      const browser = new Browser(api.base, client(guess));
      const page = await browser.get('/account');
      const { status } = await browser.signIn(page, email, 'a guess');
      if (status === 401) counts.wrong++;
      else if (status === 429) counts.limited++;
    }
    return counts;
  };

  t.test("guesses from elsewhere do not lock out the account's known browsers", async (t) => {
    await api.account('flo@example.org');
    const [own, link] = [new Browser(api.base, '198.51.100.1'), new Browser(api.base, '198.51.100.2')];
    const home = await own.signIn(await own.get('/account'), 'flo@example.org');
    t.equal(home.url, `${api.base}/account`);
    t.same(await guessed('flo@example.org', 103, (guess) => `203.0.113.${guess % 26}`), {
      wrong: 100,
      limited: 3,
    });
    const stranger = new Browser(api.base, '198.51.100.3');
    const page = await stranger.get('/account');
    t.equal((await stranger.signIn(page, 'flo@example.org')).status, 429, 'an unknown browser must wait');
    own.forget('cochlea_session');
    const again = await own.signIn(await own.get('/account'), 'flo@example.org');
    t.equal(again.url, `${api.base}/account`, 'the browser of an earlier sign-in');

    const [, secret] = (await api.linkFor('flo@example.org')).split('link=');
    t.equal((await link.post('/account/password', { link: secret!, password })).status, 200);
    const set = await link.signIn(await link.get('/account'), 'flo@example.org');
    t.equal(set.url, `${api.base}/account`, 'the browser that set a password by link');
    const statuses: number[] = [];
    link.forget('cochlea_session');
    const form = await link.get('/account');
    for (let guess = 0; guess < 11; guess++) {
      statuses.push((await link.signIn(form, 'flo@example.org', `guess ${guess}`)).status);
    }
    t.same(statuses, [...Array(10).fill(401), 429], 'a known browser also has ten guesses');
    t.equal(
      (await link.signIn(form, 'ben@example.org', 'a guess')).status,
      401,
      'it is unknown to other accounts',
    );
  });

  t.test('a right password does not count as an attempt', async (t) => {
    for (let time = 0; time < 12; time++) {
      const browser = new Browser(api.base);
      const page = await browser.signIn(await browser.get('/account'), 'ben@example.org');
      t.equal(page.url, `${api.base}/account`);
    }
  });

  t.test('an address gets five mails an hour', async (t) => {
    const browser = new Browser(api.base);
    const spellings = [
      'cy@example.org',
      'CY@example.org',
      'cy@example\u3002org',
      'cy@\uff45xample.org',
      'cy+1@example.org',
    ];
    for (const email of [...spellings, ...spellings]) await browser.post('/account/link', { email });
    await browser.post('/account/link', { email: 'dee@example.org' });
    await api.link('dee@example.org');
    const sent = async () => (await api.mails('cy@example.org')) + (await api.mails('cy+1@example.org'));
    await until(async () => (await sent()) >= 5, 'five mails');
    t.equal(await sent(), 5);
  });

  t.test('limits the requests of a client address and the length of forms', async (t) => {
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    const statuses = new Map<number, number>();
    for (let request = 0; request < 45; request++) {
      const { status } = await fetch(`${api.base}/account/sign-up`, { headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    t.equal(statuses.get(429), 5);
    const refused = await fetch(`${api.base}/authorize`, { headers });
    t.ok([400, 429].includes(refused.status));
    const long = await new Browser(api.base).post('/account/link', { email: 'x'.repeat(20_000) });
    t.equal(long.status, 413);
  });
});
