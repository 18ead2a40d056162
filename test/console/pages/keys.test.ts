/** Tests the keys of the console in Chromium: pages, search, the list of keys, typing, modifiers, and the setting that switches them off. */
import { chromium } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { fromSegments, said, startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { enterConsole, findingsOf } from './console-browser.js';

t.test('keys of the console', { skip, timeout: 180_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid, key } = await api.person();
  const made = await api.call(fromSegments, {
    credential: key,
    body: { transcript_segments: [said('Shall we plant beans?', 0, 4), said('In May.', 5, 9)] },
  });
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  const { problems } = await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const one of keys) await page.keyboard.press(one);
  };
  const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
  const focused = (selector: string): Promise<unknown> =>
    page.waitForFunction(`document.activeElement.matches(${JSON.stringify(selector)})`);
  const listed = () => page.getByRole('dialog').locator('dt').allTextContents();

  await t.test('g and a letter go to each page, and the focus goes along', async () => {
    for (const [letter, name] of [
      ['l', 'Live'],
      ['c', 'Conversations'],
      ['k', 'API keys'],
      ['s', 'Settings'],
      ['t', 'Today'],
    ] as const) {
      await press('g', letter);
      await heading(name).waitFor();
      await focused('main');
    }
  });

  await t.test('a slash searches from any page; what is typed there is no key', async (t) => {
    await press('/');
    await heading('Conversations').waitFor();
    await focused('input[type=search]');
    await press('g', 's', '?');
    t.equal(await page.locator('input[type=search]').inputValue(), 'gs?');
    await page.getByRole('checkbox', { name: 'Starred' }).focus();
    await press('/');
    await focused('input[type=search]');
  });

  await t.test('the list names the keys of this page, and the focus returns', async (t) => {
    await press('Escape');
    await page.getByRole('link', { name: 'Settings' }).focus();
    await press('?');
    await page.getByRole('dialog').waitFor();
    t.same(await listed(), ['/', 'gt', 'gl', 'gc', 'gk', 'gs', '?']);
    t.same(await findingsOf(page), []);
    await press('g', 't');
    t.ok(await heading('Conversations').isVisible(), 'a dialog takes all keys');
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focused('a[href="/console/settings"]');
    await page.goto(`${api.base}/console/conversations/${(made.body as { id: string }).id}`);
    await page.locator('.actions').waitFor();
    await press('?');
    await page.getByRole('dialog').waitFor();
    t.same((await listed()).filter((name) => /^[jkxensu]$/.test(name)).sort(), [...'ejknsux']);
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('e');
    await focused('textarea');
    await press('Escape');
    await focused('li.current');
  });

  await t.test('modifiers, and a second key after a pause, are no keys', async (t) => {
    for (const modifier of ['Control', 'Alt', 'Meta']) {
      await page.keyboard.down(modifier);
      await press('e');
      await page.keyboard.up(modifier);
    }
    t.equal(await page.locator('textarea').count(), 0);
    // The page reads the time of a key from its event.
    await page.evaluate(`for (const [key, timeStamp] of [['g', 1000], ['t', 3001]])
      document.body.dispatchEvent(Object.defineProperty(
        new KeyboardEvent('keydown', { key, bubbles: true }), 'timeStamp', { value: timeStamp }))`);
    t.ok(page.url().includes('/console/conversations/'), 'the pause was too long');
    await page.evaluate(`for (const [key, timeStamp] of [['g', 1000], ['t', 3000]])
      document.body.dispatchEvent(Object.defineProperty(
        new KeyboardEvent('keydown', { key, bubbles: true }), 'timeStamp', { value: timeStamp }))`);
    await heading('Today').waitFor();
  });

  await t.test('the setting switches keys off in this browser, also after a reload', async (t) => {
    await press('g', 's');
    const setting = page.getByRole('checkbox', { name: 'Single keys are shortcuts' });
    await setting.uncheck();
    t.same(await findingsOf(page), []);
    await page.reload();
    await heading('Settings').waitFor();
    t.equal(await setting.isChecked(), false);
    await press('g', 't', '?', '/');
    t.ok(await heading('Settings').isVisible());
    t.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: 'Show the keys' }).click();
    await page.getByText('Keys are switched off in the settings.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await focused('section button');
    await page.goto(`${api.base}/console/conversations/${(made.body as { id: string }).id}`);
    await page.locator('.actions').waitFor();
    await press('e');
    t.equal(await page.locator('textarea').count(), 0);
    t.equal(await page.locator('.actions kbd').count(), 0, 'buttons do not name keys that do not work');
    await page.getByRole('link', { name: 'Settings' }).click();
    await setting.check();
    await press('g', 't');
    await heading('Today').waitFor();
  });

  t.same(problems, [], 'no error of a script or of the policy');
});
