/** What guesses and floods are answered. */
import t from 'tap';
import { Browser, password, startIssuer } from './sign-in-support.js';

t.test('guesses and floods', async (t) => {
  const api = await startIssuer(t, { RATE_LIMIT_BOOST: '1', MAX_SIGN_IN_REQUESTS_PER_ADDRESS: '40' });
  await api.account('ann@example.org');
  await api.account('ben@example.org');

  t.test('passwords of one address are guessed ten times', async (t) => {
    const browser = new Browser(api.base);
    const page = await browser.get('/account');
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) {
      statuses.push((await browser.signIn(page, 'ann@example.org', `guess ${guess}`)).status);
    }
    t.same(statuses, [...Array(10).fill(401), 429]);
    t.equal(
      (await browser.signIn(page, 'Ann@example.org')).status,
      429,
      'the right one is not told from others',
    );
    const ben = await browser.signIn(page, 'ben@example.org', password);
    t.equal(ben.url, `${api.base}/account`, 'other accounts are open');
  });

  t.test('unknown addresses are limited alike', async (t) => {
    const browser = new Browser(api.base);
    const page = await browser.get('/account');
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) {
      statuses.push((await browser.signIn(page, 'unknown@example.org', `guess ${guess}`)).status);
    }
    t.same(statuses, [...Array(10).fill(401), 429]);
  });

  t.test('an address gets five mails an hour', async (t) => {
    const browser = new Browser(api.base);
    for (let mail = 0; mail < 8; mail++) await browser.post('/account/link', { email: 'cy@example.org' });
    await browser.post('/account/link', { email: 'dee@example.org' });
    await api.link('dee@example.org');
    t.equal(await api.mails('cy@example.org'), 5);
  });

  t.test('a client address asks as often as it may, and long forms are refused', async (t) => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
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
