/** Tests the states of pages in Chromium: error, offline, signed out, a session that ends, and markup in texts. */
import { chromium } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { enterConsole, findingsOf } from './console-browser.js';

const payload = `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`;

t.test('states of the pages', { skip, timeout: 120_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid, key } = await api.person(undefined, payload);
  const made = await api.call('/v1/dev/user/conversations/from-segments', {
    credential: key,
    body: {
      transcript_segments: [{ text: payload, speaker: 'SPEAKER_00', is_user: true, start: 0, end: 4 }],
    },
  });
  const { id } = made.body as { id: string };
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);

  await t.test('texts with markup stay texts', async (t) => {
    await page.goto(`${api.base}/console/conversations/${id}`);
    await page.locator('.words li p').getByText(payload, { exact: true }).waitFor();
    t.notMatch(await page.title(), /^ran/);
    t.equal(await page.locator('main img, main script').count(), 0);
    t.same(await findingsOf(page), []);
  });

  await t.test('a conversation that does not exist', async (t) => {
    await page.goto(`${api.base}/console/conversations/8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55`);
    await page.getByRole('alert').waitFor();
    t.ok(await page.getByRole('button', { name: 'Try again' }).isVisible());
    t.same(await findingsOf(page), []);
  });

  await t.test('a failed request keeps the data, and can be repeated', async (t) => {
    await page.goto(`${api.base}/console/conversations/${id}`);
    await page.locator('.words li').waitFor();
    await page.route('**/console/api/conversations/**', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '7', 'x-request-id': 'abc' },
        json: { detail: 'The database is away' },
      }),
    );
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('The database is away. Try again in 7 s.').waitFor();
    t.ok(await page.getByText('Request abc').isVisible());
    t.ok(await page.getByText('This was read at').isVisible());
    t.ok(await page.locator('.words li').isVisible());
    t.same(await findingsOf(page), []);
    await page.unroute('**/console/api/conversations/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  await t.test('offline', async (t) => {
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Read again' }).click();
    // The conversation and its transcript say so, each for itself.
    await page.getByText('There is no connection to the service.').first().waitFor();
    t.ok(await page.locator('.words li').isVisible());
    await page.context().setOffline(false);
  });

  await t.test('the first page with data', async (t) => {
    await page.goto(`${api.base}/console`);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    t.same(await findingsOf(page), []);
  });

  await t.test(
    'a session that ends keeps the page; a browser without one is told how to get one',
    async (t) => {
      await page.context().clearCookies();
      await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).click();
      await page.getByRole('alert').getByText('The session has ended.').waitFor();
      t.same(await findingsOf(page), []);
      await page.reload();
      await page.getByText('This browser is not signed in.').waitFor();
      t.same(await findingsOf(page), []);
    },
  );
});
