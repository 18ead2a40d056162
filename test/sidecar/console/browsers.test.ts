/** Users list and end the browsers that are signed in to the console: at the console, and on the account page. */
import t from 'tap';
import { createConsoleLink, readConsoleLink } from '../../../src/identity/console-sessions.js';
import { Browser, startIssuer } from '../issuer/sign-in-support.js';
import { consoleHeaders, consoleSession, startApi } from '../support.js';

t.test('at the console', async (t) => {
  const api = await startApi(t);
  const { uid } = await api.person();
  const stranger = await api.person();
  const [own, second, third, ended] = [
    await consoleSession(api.sql, uid),
    await consoleSession(api.sql, uid),
    await consoleSession(api.sql, uid),
    await consoleSession(api.sql, uid),
  ];
  const foreign = await consoleSession(api.sql, stranger.uid);
  const ask = (cookie: string, path = 'browsers', method = 'GET') =>
    api.call(`/console/api/${path}`, { method, headers: consoleHeaders(api, cookie) });
  const listed = async (cookie: string) =>
    (await ask(cookie)).body.browsers as { id: string; used_at: string; current: boolean }[];
  const idOf = async (cookie: string) => (await listed(cookie)).find(({ current }) => current)!.id;

  const ids = [await idOf(own), await idOf(second), await idOf(third)];
  await api.sql`update console_sessions set used_at = now() - interval '13 hours' where left(hash, 32) = ${await idOf(ended)}`;
  const browsers = await listed(own);
  t.equal(browsers.length, 3, 'an ended session is not listed');
  t.equal(browsers.filter(({ current }) => current).length, 1);
  t.same(Object.keys(browsers[0]!).sort(), ['created_at', 'current', 'id', 'used_at']);
  const text = JSON.stringify(browsers);
  for (const cookie of [own, second, third]) t.notOk(text.includes(cookie), 'no cookie is shown');
  for (const { hash } of await api.sql<{ hash: string }[]>`select hash from console_sessions`)
    t.notOk(text.includes(hash), 'no whole hash is shown');

  t.equal((await ask(foreign, `browsers/${ids[1]}`, 'DELETE')).status, 204);
  t.equal((await listed(own)).length, 3, 'a stranger ends nothing');
  t.equal((await ask(own, `browsers/${ids[1]}`, 'DELETE')).status, 204);
  t.equal((await ask(second)).status, 401);
  const { secret } = await createConsoleLink(api.sql, uid);
  t.equal((await ask(own, 'browsers', 'DELETE')).status, 204);
  t.equal((await ask(third)).status, 401);
  t.equal((await ask(own)).status, 200, 'this browser stays');
  t.equal((await ask(foreign)).status, 200, 'browsers of others stay');
  await t.rejects(readConsoleLink(api.sql, secret), { code: 'console_link_ended' });
});

t.test('on the account page', async (t) => {
  const api = await startIssuer(t);
  await api.account('ann@example.org');
  const browser = new Browser(api.base);
  const before = await browser.signIn(await browser.get('/account'), 'ann@example.org');
  t.notMatch(before.text, 'Browsers at the console');
  const [{ uid }] = (await api.sql`select uid from accounts where email = 'ann@example.org'`) as [
    { uid: string },
  ];
  const first = await consoleSession(api.sql, uid);
  await consoleSession(api.sql, uid);
  await consoleSession(api.sql, uid);
  const stranger = await api.person();
  await consoleSession(api.sql, stranger.uid);
  const count = async (of: string) =>
    (await api.sql`select 1 from console_sessions where uid = ${of}`).length;
  const page = await browser.get('/account');
  t.match(page.text, /last used \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  t.notOk(page.text.includes(first));
  const token = /name="token" value="([\w-]+)"/.exec(page.text)![1]!;
  const forms = [...page.text.matchAll(/action="(\/account\/consoles\/\w{32}\/end)"/g)].map(
    ([, path]) => path!,
  );
  t.equal(forms.length, 3);
  t.equal((await browser.post(forms[0]!, { token: 'wrong' })).status, 403);
  t.equal(await count(uid), 3);
  await browser.post(forms[0]!, { token });
  t.equal(await count(uid), 2);
  const [{ id }] = (await api.sql`
    select left(hash, 32) as id from console_sessions where uid = ${stranger.uid}`) as [{ id: string }];
  await browser.post(`/account/consoles/${id}/end`, { token });
  await browser.post('/account/consoles/end', { token });
  t.equal(await count(uid), 0);
  t.equal(await count(stranger.uid), 1, 'browsers of others stay');
});
