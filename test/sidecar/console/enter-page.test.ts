/** Opens a link to the console in a real browser: the page shows whose session it opens, and only a click uses the link. */
import { chromium } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink, readConsoleLink } from '../../../src/identity/console-sessions.js';
import { findingsOf } from '../../console/pages/console-browser.js';
import { browserProgram as program, browserMissing as skip } from '../../support/browser.js';
import { startApi } from '../support.js';

t.test('a link opens the console', { skip }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid } = await api.person(null, 'Ann <b>Example</b>');
  const { secret } = await createConsoleLink(api.sql, uid);
  const address = `${api.base}/console/enter#${secret}`;
  const browser = await chromium.launch({ executablePath: program!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  // Fetches the address in advance, as some mail and chat services do.
  await (await fetch(address)).text();
  await page.goto(address);
  const enter = page.getByRole('button', { name: 'Continue as Ann <b>Example</b>' });
  await enter.waitFor();
  t.ok(await readConsoleLink(api.sql, secret), 'the link is not used up');
  t.same(await findingsOf(page), []);
  await enter.click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.getByText('Ann <b>Example</b>', { exact: true }).waitFor();
  t.equal(page.url(), `${api.base}/console`);
  t.same(await findingsOf(page), []);
  t.ok(requested.every((url) => url.startsWith(`${api.base}/`) && !url.split('#')[0]!.includes(secret)));
  const cookies = await page.context().cookies();
  t.match(cookies, [{ name: 'cochlea_console', httpOnly: true, sameSite: 'Lax', path: '/' }]);
  t.equal(await page.evaluate('document.cookie'), '', 'no script reads the cookie');

  await page.goto('about:blank');
  await page.goto(address);
  await page.getByText('But this browser is already signed in, as Ann <b>Example</b>.').waitFor();
  t.notOk(await page.getByRole('link', { name: 'Sign in' }).isVisible());
  t.same(await findingsOf(page), []);
  await page.getByRole('link', { name: 'Go to the console' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText(`You are signed in as Ann <b>Example</b>. Your user id (uid) is ${uid}.`).waitFor();
  t.equal(await page.getByRole('link', { name: /^Account page/ }).count(), 0, 'a user without an address');

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('This browser is not signed in.').waitFor();
  t.same(
    problems.filter((text) => !/40[01]/.test(text)),
    [],
    'only the used link, and the question whose session this is, fail',
  );

  await page.goto('about:blank');
  await page.goto(address);
  await page
    .getByRole('alert')
    .getByText(/has expired, or was used before\. Make a new link with "npx cochlea console", or sign in\.$/)
    .waitFor();
  t.notOk(await page.locator('#enter').isVisible());
  t.same(await findingsOf(page), []);
  t.equal(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href'), '/console/sign-in');
});
