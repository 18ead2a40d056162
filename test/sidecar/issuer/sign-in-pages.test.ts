/** Tests the issuer's pages in a real browser that uses only the keyboard. axe-core checks them in light and dark, also on a phone. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { findingsOf } from '../../console/pages/console-browser.js';
import { browserProgram as program, browserMissing as skip } from '../../support/browser.js';
import { password, startIssuer } from './sign-in-support.js';
import { startUpstream, upstreamSecret } from './upstream-support.js';

/** Presses Tab until a control has the focus. @throws Error after 40 presses. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let presses = 0; presses < 40; presses++) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} is not reached with the keyboard`);
};

const type = async (page: Page, selector: string, text: string): Promise<void> => {
  await tabTo(page, selector);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
};

/** Activates a button with Enter, and waits until the next page is loaded. */
const press = async (page: Page, selector: string): Promise<void> => {
  await tabTo(page, selector);
  await Promise.all([
    page.waitForNavigation({ waitUntil: 'load', timeout: 60_000 }),
    page.keyboard.press('Enter'),
  ]);
};

t.test('sign-in with the keyboard', { skip }, async (t: Test) => {
  // The assistant's web server. Its port differs from that of the service, so its origin differs, too.
  const assistant = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Helper</title>');
  }).listen(0, '127.0.0.1');
  await once(assistant, 'listening');
  t.teardown(() => assistant.close());
  const redirect = `http://127.0.0.1:${(assistant.address() as AddressInfo).port}/callback`;
  const port = String(await freePort());
  const address = `http://127.0.0.1:${port}`;
  const upstream = await startUpstream(t, [`${address}/v1/auth/callback/other`]);
  const api = await startIssuer(t, {
    SIDECAR_PORT: port,
    PUBLIC_URL: address,
    OAUTH_CLIENTS: JSON.stringify([{ id: 'helper', name: 'Helper', redirect_uris: [redirect] }]),
    UPSTREAM_PROVIDERS: JSON.stringify([
      {
        name: 'other',
        label: 'Other',
        issuer: upstream.issuer,
        client_id: 'cochlea',
        client_secret: upstreamSecret,
      },
    ]),
  });
  const browser = await chromium.launch({ executablePath: program!, chromiumSandbox: false });
  t.teardown(() => browser.close());
  const complaints: string[] = [];

  /** Opens a page in a new browser profile without cookies. */
  const profile = async (): Promise<[BrowserContext, Page]> => {
    const context = await browser.newContext();
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.on('console', (message) => {
      // Chromium logs each answer with a 4xx status as an error. These answers are expected.
      if (message.type() === 'error' && !/status of (4\d\d)/.test(message.text()))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    return [context, page];
  };
  const accessible = async (page: Page, name: string): Promise<void> => {
    t.same(await findingsOf(page), [], `${name}: axe-core finds nothing, and everything fits a phone`);
  };
  const authorize = (state: string): string =>
    `${api.base}/authorize?${new URLSearchParams({
      client_id: 'helper',
      response_type: 'code',
      redirect_uri: redirect,
      scope: 'memories.read memories.write goals.read',
      state,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`;

  const [, page] = await profile();

  t.test('signs up', async (t) => {
    await page.goto(`${api.base}/account`);
    await accessible(page, 'sign-in');
    await press(page, 'a[href="/account/sign-up"]');
    await accessible(page, 'sign-up');
    await type(page, '#email', 'ann@example.org');
    await press(page, 'button');
    await accessible(page, 'mail sent');
    await page.goto(await api.link('ann@example.org'));
    await accessible(page, 'password');
    await type(page, '#password', password);
    await press(page, 'button');
    t.equal(await page.title(), 'The password is set');
  });

  t.test('signs in after a wrong password', async (t) => {
    await page.goto(`${api.base}/account`);
    await type(page, '#email', 'ann@example.org');
    await type(page, '#password', 'not the password');
    await press(page, 'form[action$="sign-in"] button');
    t.match(await page.locator('[role=alert]').textContent(), 'is wrong');
    await accessible(page, 'wrong password');
    await type(page, '#password', password);
    await press(page, 'form[action$="sign-in"] button');
    t.equal(await page.title(), 'Your account');
    await accessible(page, 'account');
    await page.goto(`${api.base}/account/delete`);
    t.equal(await page.locator('input[type=checkbox]').count(), 1, 'the deletion needs a confirmation');
    await accessible(page, 'deletion');
    await page.goto(`${api.base}/account`);
  });

  t.test('denies an assistant, and then allows it two of three scopes', async (t) => {
    await page.goto(authorize('first'));
    t.equal(await page.title(), 'Allow Helper?');
    await accessible(page, 'consent');
    await press(page, 'button[formaction$="/deny"]');
    t.ok(page.url().startsWith(redirect));
    t.match(page.url(), 'error=access_denied');

    await page.goto(authorize('second'));
    await tabTo(page, 'input[value="memories.write"]');
    await page.keyboard.press('Space');
    await press(page, 'form[action$="/consent"] button');
    t.ok(page.url().startsWith(redirect));
    t.match(page.url(), 'code=');

    await page.goto(`${api.base}/account`);
    const granted = await page.locator('ul ul li').allTextContents();
    t.equal(granted.length, 2);
    t.notOk(granted.some((sentence) => sentence.startsWith('Add, change')));
    await accessible(page, 'account with an assistant');
    await press(page, 'form[action$="/revoke"] button');
    t.match(await page.locator('main').textContent(), 'No assistant has access');
  });

  t.test('signs out everywhere', async (t) => {
    const [, other] = await profile();
    await other.goto(authorize('third'));
    await type(other, '#email', 'ann@example.org');
    await type(other, '#password', password);
    await press(other, 'form[action$="sign-in"] button');
    t.equal(await other.title(), 'Allow Helper?', 'the sign-in continues with the consent');
    await page.goto(`${api.base}/account`);
    await press(page, 'form[action$="sign-out-everywhere"] button');
    t.equal(await page.title(), 'Signed out');
    await accessible(page, 'signed out');
    t.equal(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'), '/account');
    await page.goto(`${api.base}/account/password?link=${'x'.repeat(43)}`);
    t.equal(await page.title(), 'This link does not work');
    for (const [name, address] of [
      ['Request a link for an account', '/account/forgotten'],
      ['Make an account', '/account/sign-up'],
      ['Sign in', '/account'],
    ] as const)
      t.equal(await page.getByRole('link', { name }).getAttribute('href'), address);
    await accessible(page, 'used link');
    await other.goto(`${api.base}/account`);
    t.equal(await other.title(), 'Sign in');
  });

  t.test('signs in with another service', async (t) => {
    upstream.people.set('zoe', { email: 'zoe@example.org', email_verified: true });
    const [, other] = await profile();
    await other.goto(`${api.base}/account`);
    await press(other, 'a[href$="/with/other"]');
    t.ok(other.url().startsWith(upstream.issuer));
    await type(other, 'input[name=login]', 'zoe');
    await type(other, 'input[name=password]', 'any');
    await press(other, 'button[type=submit]');
    await press(other, 'button[type=submit]');
    t.equal(await other.title(), 'Your account');
    t.match(await other.locator('main').textContent(), 'zoe@example.org');
  });

  t.same(complaints, [], 'the Content-Security-Policy blocks nothing that a page needs');
});
