/**
 * Tests the page of API keys in Chromium: listing, making, copying and revoking keys, the states of the page, and that
 * a secret does not leave it.
 */
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createApiKey } from '../../../src/identity/api-keys.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { type Api, startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { enterConsole, findingsOf } from '../pages/console-browser.js';

const requests = '**/console/api/keys/**';

interface Opened {
  readonly api: Api;
  readonly uid: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Every address that the browser requested, and every line of the browser's console. The list grows. */
  readonly seen: string[];
}

const opened = async (t: Test): Promise<Opened> => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid } = await api.person();
  await api.sql`delete from api_keys where uid = ${uid}`;
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const context = await browser.newContext();
  const page = await context.newPage();
  const seen: string[] = [];
  page.on('request', (request) => seen.push(request.url()));
  page.on('console', (message) => seen.push(message.text()));
  await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);
  return { api, uid, context, page, seen };
};

const open = async ({ api, page }: Opened): Promise<void> => {
  await page.goto(`${api.base}/console/keys`);
  await page.getByRole('heading', { name: 'Make a key' }).waitFor();
};
const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.textContent');
const secretOn = async (page: Page): Promise<string> =>
  (await page.locator('.new-key p > code').first().textContent())!;

/** Fills the form and sends it. @returns the secret that the page shows */
const make = async (page: Page, name: string): Promise<string> => {
  await page.getByLabel('Name of the key').fill(name);
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('heading', { name: `The key ${name} is made` }).waitFor();
  return secretOn(page);
};

t.test('keys are made, copied, listed and revoked', { skip, timeout: 120_000 }, async (t) => {
  const all = await opened(t);
  const { api, context, page, seen } = all;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: api.base });
  await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click();
  await page.getByText('You have no keys.').waitFor();
  t.same(await findingsOf(page), [], 'empty');
  await page.getByRole('button', { name: 'Make a key', exact: true }).click();
  t.equal(await page.evaluate('document.activeElement.maxLength'), 200, 'the name has the focus');

  await t.test('the form says what is missing', async (t) => {
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByText('A key needs a name. Type one.').waitFor();
    await page.getByLabel('Name of the key').fill('garden lamp');
    for (const box of await page.getByRole('checkbox').all()) await box.setChecked(false);
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByText('A key without a permission opens nothing. Tick one or more.').waitFor();
    t.same(await findingsOf(page), [], 'a problem of the form');
    t.equal((await api.sql`select 1 from api_keys where name = 'garden lamp'`).length, 0);
    await page.getByRole('checkbox', { name: 'Read facts that are known about you' }).check();
  });

  await t.test('a key is shown once, is copied, and works', async (t) => {
    const secret = await make(page, 'garden lamp');
    t.match(secret, /^svc_dev_[0-9a-f]{32}$/);
    t.match(await focused(page), /^The key garden lamp is made/);
    t.same(await findingsOf(page), [], 'a new key');
    const usage = await page.locator('.new-key').textContent();
    t.match(usage, `curl -H "Authorization: Bearer KEY" ${api.base}/v1/dev/key`);
    t.match(await api.call('/v1/dev/key', { credential: secret }), { body: { name: 'garden lamp' } });
    t.equal(await page.getByRole('link', { name: 'The API page' }).getAttribute('href'), '/docs');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('The key is copied.').waitFor();
    t.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
    t.equal((await api.call('/v1/dev/user/memories', { credential: secret })).status, 200);
    t.equal(
      (await api.call('/v1/dev/user/goals', { credential: secret })).status,
      403,
      'only what was ticked',
    );
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('copy it with Ctrl+C').waitFor();
    t.equal(await page.evaluate('getSelection().toString()'), secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    t.equal(await page.locator('.new-key').count(), 0);
    t.equal(await focused(page), 'Your keys');
    const text = await page.locator('.key-rows').textContent();
    t.match(text, /garden lamp.*Developer key.*svc_dev_\w{4}\.\.\.\w{4}.*Made .*, (never|last) used/s);
    t.match(text, 'Read facts that are known about you');
  });

  await t.test('a key of an assistant', async (t) => {
    await page.getByRole('radio', { name: /^An assistant/ }).check();
    await page.getByRole('checkbox', { name: 'Read your goals' }).waitFor();
    t.equal(await page.getByRole('checkbox', { checked: true }).count(), 9, 'an assistant may do all');
    const secret = await make(page, 'helper');
    t.match(secret, /^svc_mcp_/);
    t.match(await page.locator('.new-key').textContent(), `tool server is ${api.base}/v1/mcp/sse.`);
    await page.getByRole('button', { name: 'Revoke helper' }).waitFor();
    const first = await page.locator('.key-rows h3').first().textContent();
    t.equal(first, 'helper', 'the newest is first');
    t.same(await findingsOf(page), [], 'full');
  });

  await t.test('a revoked key is gone; the focus returns', async (t) => {
    const button = page.getByRole('button', { name: 'Revoke garden lamp' });
    await button.click();
    await page.getByRole('dialog').getByText('Revoke garden lamp?').waitFor();
    t.same(await findingsOf(page), [], 'the question');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    t.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Revoke garden lamp');
    await button.click();
    await page.route(requests, (route) => route.fulfill({ status: 500, json: { detail: 'Internal error' } }));
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByRole('dialog').getByText('Internal error.').waitFor();
    t.same(await findingsOf(page), [], 'a failed revocation');
    await page.unroute(requests);
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByText('The key garden lamp is revoked.').waitFor();
    await page.getByRole('button', { name: 'Revoke garden lamp' }).waitFor({ state: 'detached' });
    t.equal(await focused(page), 'Your keys');
    t.equal((await api.sql`select 1 from api_keys where revoked_at is not null`).length, 1);
  });

  await t.test('a secret leaves the page with the user, and stays nowhere', async (t) => {
    const secrets = [await make(page, 'one'), await make(page, 'two')];
    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Make a key' }).waitFor();
    t.equal(await page.locator('.new-key').count(), 0);
    secrets.push(await make(page, 'three'));
    await page.goto(`${api.base}/console/settings`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Make a key' }).waitFor();
    t.equal(await page.locator('.new-key').count(), 0);
    const kept = [
      ...seen,
      await page.content(),
      String(await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state])')),
      JSON.stringify(await context.storageState({ indexedDB: true })),
    ].join('\n');
    for (const secret of secrets) t.notOk(kept.includes(secret.slice(-32)));
    t.equal(new Set(secrets).size, 3);
  });
});

t.test('states of the page', { skip, timeout: 120_000 }, async (t) => {
  const all = await opened(t);
  const { api, uid, context, page } = all;

  await t.test('loading, a failed request, and code that does not arrive', async (t) => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(requests, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.goto(`${api.base}/console/keys`);
    await page.locator('.skeleton').waitFor();
    t.same(await findingsOf(page), [], 'loading');
    answer();
    await page.getByText('You have no keys.').waitFor();
    await page.unroute(requests);
    await page.route(requests, (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'abc' },
        json: { detail: 'Internal error', remedy: 'Do this.' },
      }),
    );
    await page.reload();
    await page.getByText('Internal error. Do this.').waitFor();
    await page.getByText('Request abc').waitFor();
    t.same(await findingsOf(page), [], 'failed');
    await page.unroute(requests);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('You have no keys.').waitFor();
    await page.route('**/console/files/api-keys-*.js', (route) => route.abort());
    await page.goto(`${api.base}/console`);
    await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click();
    await page.getByText('The code of this page could not be loaded.').waitFor();
    await page.unroute('**/console/files/api-keys-*.js');
    await open(all);
  });

  await t.test('an answer that is lost: the page says that a key may exist, and lists it', async (t) => {
    await page.route('**/console/api/keys/developer', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await createApiKey(api.sql, api.settings, { uid, name: 'lost' });
      await route.abort();
    });
    await page.getByLabel('Name of the key').fill('lost');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByText('If the list has a new key afterwards, revoke it').waitFor();
    await page.getByRole('button', { name: 'Revoke lost' }).waitFor();
    t.equal(await page.locator('.new-key').count(), 0);
    t.equal(await page.getByLabel('Name of the key').inputValue(), 'lost', 'what was typed stays');
    await page.unroute('**/console/api/keys/developer');
  });

  await t.test('offline, the list stays; a busy service names the time', async (t) => {
    await open(all);
    await page.route('**/console/api/**', (route) => route.abort());
    await page.getByLabel('Name of the key').fill('offline');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page
      .getByRole('alert')
      .getByText(/^There is no connection to the service since/)
      .waitFor();
    t.ok(await page.getByRole('button', { name: 'Revoke lost' }).isVisible());
    t.same(await findingsOf(page), [], 'offline');
    await page.unroute('**/console/api/**');
    await open(all);
    await page.route('**/console/api/keys/developer', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 429, headers: { 'retry-after': '57' }, json: { detail: 'x' } })
        : route.continue(),
    );
    await page.getByLabel('Name of the key').fill('busy');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByText(/^Too many requests were sent\. The service answers again at \S+:\d\d/).waitFor();
    await page.unroute('**/console/api/keys/developer');
  });

  await t.test('signed out, the page keeps what was typed', async (t) => {
    await open(all);
    await page.getByLabel('Name of the key').fill('later');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByRole('dialog').getByText('The session has ended').waitFor();
    t.same(await findingsOf(page), [], 'signed out');
    const other = await context.newPage();
    await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, other);
    await other.close();
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    t.equal(await page.getByLabel('Name of the key').inputValue(), 'later');
    const secret = await make(page, 'later');
    await until(
      async () => (await page.getByRole('button', { name: 'Revoke later' }).count()) === 1,
      'listed',
    );
    t.match(secret, /^svc_dev_/);
  });
});
