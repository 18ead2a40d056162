/** Tests the states of pages in Chromium: empty, loading, error, busy, offline, signed out, locked, deleting, a fault, and markup. */
import { chromium } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { fromSegments, said, startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { enterConsole, findingsOf } from './console-browser.js';

const payload = `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`;
const requests = '**/console/api/**';

t.test('states of the pages', { skip, timeout: 300_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid, key } = await api.person(undefined, payload);
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.clock.install();
  await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);
  const enterAgain = async (who: string): Promise<void> => {
    const other = await context.newPage();
    await enterConsole(api.base, (await createConsoleLink(api.sql, who)).secret, other);
    await other.close();
  };
  const open = (path: string) => page.goto(`${api.base}/console${path}`);
  const skeletons = () => page.locator('.skeleton').count();

  await t.test('empty pages say what to do next', async (t) => {
    await open('');
    await page.getByRole('link', { name: 'Start recording' }).waitFor();
    await page.getByRole('link', { name: 'Record one' }).waitFor();
    await open('/live');
    await page.getByRole('button', { name: 'Start recording' }).waitFor();
    t.same(await findingsOf(page), []);
  });

  await t.test('an unknown address shows the page that says so', async (t) => {
    for (const path of ['/nothing-here', '/conversations/a/b', '/Live']) {
      t.equal((await open(path))?.status(), 404, path);
      await page.getByRole('heading', { name: 'No such page' }).waitFor();
      t.same(await findingsOf(page), []);
      await page.getByRole('link', { name: 'Go to Today' }).click();
      await page.getByRole('heading', { name: 'Today' }).waitFor();
    }
    t.equal((await open('/'))?.status(), 200, 'a slash at the end is no fault');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
  });

  await t.test('the settings say who is signed in, and lead to the keys', async (t) => {
    await open('/settings');
    const account = page.getByRole('region', { name: 'Account', exact: true });
    await account.getByText(`Your user id (uid) is ${uid}.`).waitFor();
    t.equal(
      await account.getByRole('link', { name: /^Account page/ }).count(),
      0,
      'without an e-mail address',
    );
    await api.sql`update users set email = 'ann@example.org' where uid = ${uid}`;
    await open('/settings');
    await account.getByText('You are signed in as ann@example.org.').waitFor();
    t.equal(await account.getByRole('link', { name: /^Account page/ }).getAttribute('href'), '/account');
    t.same(await findingsOf(page), []);
    await account.getByRole('link', { name: /^API keys/ }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  const made = await api.call(fromSegments, {
    credential: key,
    body: { transcript_segments: [said(payload, 0, 4)] },
  });
  const { id } = made.body as { id: string };
  const pages = ['', '/conversations', `/conversations/${id}`, '/settings'];

  await t.test('a skeleton appears after 200 ms, not before', async (t) => {
    const live = page.getByRole('heading', { level: 1, name: 'Live' });
    for (const path of pages) {
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(/console\/api\/(conversations|browsers)/, async (route) => {
        await held;
        await route.continue().catch(() => undefined);
      });
      await open('/live');
      // Waits for the page, because otherwise the clock may stop before the first frame is drawn.
      await live.waitFor();
      await page.clock.pauseAt(((await page.evaluate('Date.now()')) as number) + 1000);
      await page.evaluate(
        `history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await live.waitFor({ state: 'detached' });
      await page.clock.runFor(150);
      t.equal(await skeletons(), 0, `${path} after 150 ms`);
      await page.clock.runFor(100);
      t.ok((await skeletons()) > 0, `${path} after 250 ms`);
      t.ok((await page.getByRole('status').allTextContents()).some((text) => text.includes('Reading')));
      await page.clock.resume();
      t.same(await findingsOf(page), []);
      answer();
      await until(async () => (await skeletons()) === 0, 'the data is shown');
      await page.unroute(/console\/api\/(conversations|browsers)/);
    }
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.evaluate(
      `document.body.insertAdjacentElement('beforeend', document.createElement('div')).className = 'skeleton'`,
    );
    await page.evaluate(`document.querySelector('.skeleton').append(document.createElement('div'))`);
    t.equal(
      await page.evaluate(`getComputedStyle(document.querySelector('.skeleton div')).animationName`),
      'none',
    );
    await page.emulateMedia({ reducedMotion: null });
  });

  await t.test('each page shows a failed request with its remedy and its id, and repeats it', async (t) => {
    for (const path of pages) {
      await page.route(/console\/api\/(conversations|browsers)/, (route) =>
        route.fulfill({
          status: 500,
          headers: { 'x-request-id': 'abc' },
          json: { detail: 'Internal error', remedy: 'Do this.' },
        }),
      );
      await open(path);
      await page.getByText('Internal error. Do this.').first().waitFor();
      t.ok(await page.getByText('Request abc').first().isVisible());
      t.same(await findingsOf(page), []);
      await page.unroute(/console\/api\/(conversations|browsers)/);
      for (const button of (await page.getByRole('button', { name: 'Try again' }).all()).reverse())
        await button.click();
      await page.getByRole('alert').first().waitFor({ state: 'detached' });
    }
  });

  await t.test('the service states remedies itself', async (t) => {
    await open('/conversations/8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55');
    await page.getByText('Conversation not found. Check the id.').waitFor();
    t.match(await page.getByText(/^Request /).textContent(), /^Request .{8}/);
    await open(`/conversations/${id}`);
    const star = page.getByRole('button', { name: 'Star', exact: true });
    await star.waitFor();
    await api.sql`update conversations set is_locked = true where id = ${id}`;
    await star.click();
    await page.getByRole('alert').getByText('A paid plan is required to access this conversation.').waitFor();
    t.ok(await star.isVisible(), 'the page does not claim what was refused');
    t.same(await findingsOf(page), []);
    await api.sql`update conversations set is_locked = false where id = ${id}`;
  });

  await t.test('texts with markup stay texts', async (t) => {
    await open(`/conversations/${id}`);
    await page.locator('.words li p').getByText(payload, { exact: true }).waitFor();
    t.notMatch(await page.title(), /^ran/);
    t.equal(await page.locator('main img, main script').count(), 0);
    t.same(await findingsOf(page), []);
  });

  await t.test('a busy service keeps the data, and the page reads it again by itself', async (t) => {
    for (const [status, text] of [
      [503, /^The database is away\. Try again shortly\. The page tries again at \S+:\d\d/],
      [429, /^Too many requests were sent\. The service answers again at \S+:\d\d/],
    ] as const) {
      await open(`/conversations/${id}`);
      await page.locator('.words li').waitFor();
      await page.clock.pauseAt(((await page.evaluate('Date.now()')) as number) + 1000);
      await page.route('**/console/api/conversations/*', (route) =>
        route.fulfill({
          status,
          headers: { 'retry-after': '57', 'x-request-id': 'abc' },
          json: { detail: 'The database is away', remedy: 'Try again shortly.' },
        }),
      );
      await page.getByRole('button', { name: 'Read again' }).click();
      await page.getByRole('alert').getByText(text).waitFor();
      t.ok(await page.getByText('Request abc').isVisible());
      t.ok(await page.getByText('This was read at').isVisible());
      t.ok(await page.locator('.words li').isVisible());
      await page.unroute('**/console/api/conversations/*');
      await page.clock.runFor(56_000);
      t.ok(await page.getByRole('alert').isVisible());
      await page.clock.runFor(2000);
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await page.clock.resume();
    }
  });

  await t.test('offline, the last data stays with its date, and the page comes back by itself', async (t) => {
    for (const path of pages) {
      await open(path);
      await page.locator('.list li:visible, .words li').first().waitFor();
      await page.route(requests, (route) => route.abort());
      const again = page.getByRole('button', { name: 'Read again' });
      if (await again.isVisible()) await again.click();
      else {
        const link = page
          .getByRole('navigation')
          .getByRole('link', { name: path === '' ? 'Settings' : 'Today' });
        await link.click();
      }
      await page
        .getByRole('alert')
        .getByText(/^There is no connection to the service since \S+:\d\d/)
        .waitFor();
      if (path.startsWith('/conversations/')) {
        t.ok(await page.locator('.words li').isVisible());
        t.ok(await page.getByText('This was read at').isVisible());
      }
      t.same(await findingsOf(page), []);
      await page.unroute(requests);
      await page.clock.fastForward(30_000);
      await page.getByRole('alert').first().waitFor({ state: 'detached' });
      await page.locator('.list li:visible, .words li').first().waitFor();
    }
    await open(`/conversations/${id}`);
    await page.locator('.words li').waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('alert').getByText('There is no connection').waitFor();
    await context.setOffline(false);
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  await t.test(
    'a page whose code does not arrive says so; a page with a fault leaves the frame',
    async (t) => {
      await open('');
      await page.route('**/console/files/live-*.js', (route) => route.abort());
      await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
      await page.getByText('The code of this page could not be loaded. Load the page again.').waitFor();
      t.same(await findingsOf(page), []);
      await page.unroute('**/console/files/live-*.js');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('button', { name: 'Start recording' }).waitFor();
      await page.route('**/console/api/browsers', (route) => route.fulfill({ json: { browsers: [null] } }));
      await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
      await page.getByText('A fault of this page stopped it.').waitFor();
      t.same(await findingsOf(page), []);
      await page.unroute('**/console/api/browsers');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('This browser').first().waitFor();
    },
  );

  await t.test('a session that ends covers the page, and what was typed is stored later', async (t) => {
    await open(`/conversations/${id}`);
    await page.locator('.actions').waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Text of the segment').fill('Typed before.');
    await context.clearCookies();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'The session has ended' });
    await dialog.waitFor();
    await dialog.getByText('The command npx cochlea console prints a link').waitFor();
    await dialog.getByRole('link', { name: 'Sign in in another tab' }).waitFor();
    t.same(await findingsOf(page), []);
    await dialog.getByRole('button', { name: 'I have signed in' }).click();
    await dialog.getByText('This browser is not signed in yet.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    t.equal(await page.getByLabel('Text of the segment').inputValue(), 'Typed before.');
    t.same(await findingsOf(page), []);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await dialog.waitFor();
    await enterAgain(uid);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await dialog.waitFor({ state: 'hidden' });
    await page.getByLabel('Text of the segment').focus();
    await page.keyboard.press('Enter');
    await page.getByText('The text is changed.').waitFor();
    t.match(await api.sql`select text from segments where conversation_id = ${id}`, [
      { text: 'Typed before.' },
    ]);
  });

  await t.test('if someone else signs in, nothing of the first user stays', async (t) => {
    const other = await api.person(undefined, 'Bob');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('dialog').waitFor();
    await enterAgain(other.uid);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.getByText('Bob', { exact: true }).waitFor();
    t.notMatch(await page.locator('body').textContent(), 'Typed before.');
    await api.sql`update users set deleting_at = now() where uid = ${other.uid}`;
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'This account is being deleted' }).waitFor();
    t.same(await findingsOf(page), []);
    await page.reload();
    await page.getByRole('heading', { name: 'This account is being deleted' }).waitFor();
  });

  await t.test('a browser without a session is told how to get one', async (t) => {
    await context.clearCookies();
    await page.reload();
    await page
      .getByText(
        'This browser is not signed in. The command npx cochlea console prints a link that signs it in.',
      )
      .waitFor();
    t.equal(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href'), '/console/sign-in');
    t.same(await findingsOf(page), []);
  });
});
