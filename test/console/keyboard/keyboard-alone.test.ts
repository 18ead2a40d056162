/**
 * A user does everything with the keyboard alone: enters the console, records, names a speaker, corrects, exports,
 * makes a key. The focus is visible at every step.
 */
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { browserMissing as skip } from '../../support/browser.js';
import { startService } from '../../support/service.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';
import { openBrowser } from '../pages/console-browser.js';

/** Maximum number of presses of Tab from one control of a page to another. */
const most = 40;

/**
 * Returns why the focus is not visible; an empty text if it is visible. The element `main` needs no outline, because it
 * has the focus when a page has just been opened.
 */
const hiddenFocus = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'nothing has the focus';
  if (element.matches('main')) return '';
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
  const { top, bottom, width } = element.getBoundingClientRect();
  const name = element.outerHTML.slice(0, 100);
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2 || /, 0\\)$/.test(outlineColor))
    return 'no outline: ' + name;
  return bottom < 0 || top > innerHeight || width === 0 ? 'out of sight: ' + name : '';
})()`;

/** Collects the text of each paragraph that is added to a live log. */
const watchLog = `(() => {
  window.announced = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        const inLog = node.closest('[role=log]') ? [node] : [...node.querySelectorAll('[role=log] p')];
        for (const one of inLog) if (one.matches('p')) window.announced.push(one.textContent);
      }
  }).observe(document, { subtree: true, childList: true });
})()`;

/** The keyboard of a user. After each step, it checks that the focus is visible. */
class Keyboard {
  constructor(
    private readonly t: Test,
    readonly page: Page,
  ) {}

  async seen(where: string): Promise<void> {
    await until(
      async () => (await this.page.evaluate(hiddenFocus)) === '',
      `the focus is seen ${where}`,
      5000,
    ).catch(() => undefined);
    this.t.equal(await this.page.evaluate(hiddenFocus), '', where);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async has(control: Locator): Promise<boolean> {
    return (await control.and(this.page.locator(':focus')).count()) === 1;
  }

  /** Waits until a control has the focus. @returns false if the control does not get the focus */
  arrives(control: Locator): Promise<boolean> {
    return until(() => this.has(control), `the focus is at ${control}`, 5000).then(
      () => true,
      () => false,
    );
  }

  /** Goes to a control. @param key `Tab`, or `Shift+Tab` to go back */
  async goTo(control: Locator, key = 'Tab'): Promise<void> {
    await control.waitFor();
    for (let count = 0; count < most; count++) {
      await this.press(key);
      // After the last control, the focus leaves the page for one press of the key.
      if (await this.page.evaluate('document.activeElement === document.body')) continue;
      await this.seen(`at ${count + 1} of the way to ${control}`);
      if (await this.has(control)) return;
    }
    throw new Error(`no key leads to ${control}`);
  }

  /** Goes to a control and uses it. */
  async use(control: Locator, way: { key?: string; with?: string } = {}): Promise<void> {
    await this.goTo(control, way.key);
    await this.press(way.with ?? 'Enter');
  }
}

const record = async (t: Test, keyboard: Keyboard): Promise<void> => {
  const { page } = keyboard;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await keyboard.press('g', 'l');
  await page.getByRole('heading', { name: 'Live' }).waitFor();
  await keyboard.use(button('Start recording'));
  await page.getByText(/^Connected · /).waitFor();
  await keyboard.seen('after the start');
  const name = page.getByLabel(/^Name of Speaker/).first();
  await name.waitFor({ timeout: 90_000 });
  await keyboard.goTo(name);
  await page.keyboard.type('Ann');
  await keyboard.press('Enter');
  await page.locator('.words .who').first().getByText('Ann').waitFor();
  await keyboard.seen('after naming');
  await until(
    async () => (await page.getByRole('log').locator('p').count()) > 0,
    'a finished segment is announced while the recording goes on',
    90_000,
  );
  await keyboard.use(button('Mute'), { key: 'Shift+Tab', with: 'Space' });
  await page.getByText(/^Connected, muted/).waitFor();
  await keyboard.press('Space');
  await page.getByText(/^Connected · /).waitFor();
  await keyboard.use(button('Stop and save'));
  const link = page.getByRole('link', { name: 'Open the conversation' });
  await link.waitFor({ timeout: 60_000 });
  await keyboard.seen('after the end');
  const announced = (await page.evaluate('window.announced')) as string[];
  t.ok(announced.length > 0);
  t.equal(new Set(announced).size, announced.length, 'each finished segment is announced once');
  t.equal(announced.length, await page.locator('.words li').count(), 'and none is left out');
  await keyboard.use(link);
  await page.locator('.actions').waitFor();
  await keyboard.seen('on the page of the conversation');
  const again = page.getByRole('button', { name: 'Read again' });
  await keyboard.goTo(again);
  // Corrections are possible as soon as the conversation has been processed.
  await until(
    async () => {
      await keyboard.press('Enter');
      return (await page.getByRole('heading', { name: 'Without a summary' }).count()) === 0;
    },
    'the conversation is processed',
    60_000,
  );
  t.ok(await keyboard.arrives(again), 'the focus stays');
};

const correct = async (t: Test, keyboard: Keyboard): Promise<void> => {
  const { page } = keyboard;
  const row = page.locator('.lines .current');
  await page.locator('.actions').waitFor();
  await keyboard.press('e');
  await keyboard.seen('in the text');
  await keyboard.press('Control+a');
  await page.keyboard.type('Corrected with keys.');
  await keyboard.press('Enter');
  await page.getByText('The text is changed.').waitFor();
  await keyboard.seen('after the text');
  t.ok(await keyboard.arrives(row), 'the row has the focus again');
  await keyboard.press('n');
  await keyboard.seen('in the name');
  await page.keyboard.type('Bob');
  await keyboard.press('ArrowDown', 'ArrowUp', 'Enter');
  await page.locator('.lines .who').first().getByText('Bob').waitFor();
  await keyboard.seen('after the name');
  t.ok(await keyboard.arrives(row), 'the row has the focus again');
  await keyboard.press('n', 'Escape');
  t.ok(await keyboard.arrives(row), 'also if nothing was chosen');
  await keyboard.use(page.getByRole('tab', { name: 'Transcript' }), { key: 'Shift+Tab', with: 'ArrowLeft' });
  t.ok(await keyboard.arrives(page.getByRole('tab', { name: 'Summary' })), 'arrows change the tab');
  const edit = page.getByRole('button', { name: 'Edit title' });
  await keyboard.use(edit, { key: 'Shift+Tab' });
  await keyboard.seen('in the title');
  await keyboard.press('Control+a');
  await page.keyboard.type('Made with keys');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Made with keys' }).waitFor();
  t.ok(await keyboard.arrives(edit), 'the focus returns from the title');
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await keyboard.use(remove);
  await keyboard.use(page.getByRole('button', { name: 'Keep it' }));
  await page.getByRole('button', { name: 'Keep it' }).waitFor({ state: 'detached' });
  t.ok(await keyboard.arrives(remove), 'the focus returns from the question');
};

const exported = async (t: Test, keyboard: Keyboard): Promise<void> => {
  const { page } = keyboard;
  const menu = page.locator('summary').filter({ hasText: 'Export' });
  await keyboard.use(menu, { key: 'Shift+Tab' });
  await keyboard.goTo(page.getByRole('button', { name: 'Markdown' }));
  await keyboard.press('Escape');
  t.ok(await keyboard.arrives(menu), 'Escape closes the menu, and the focus returns');
  await page.getByRole('button', { name: 'Markdown' }).waitFor({ state: 'hidden' });
  await keyboard.press('Enter');
  await keyboard.goTo(page.getByRole('button', { name: 'Text', exact: true }));
  const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')]);
  t.match(download.suggestedFilename(), /made with keys\.txt$/i);
  await keyboard.seen('after the export');
  t.ok(await keyboard.arrives(menu));
};

const makeKey = async (t: Test, keyboard: Keyboard): Promise<void> => {
  const { page } = keyboard;
  await keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await keyboard.seen('in the list of keys');
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keyboard.seen('after the list of keys');
  await keyboard.press('g', 'k');
  await keyboard.goTo(page.getByLabel('Name of the key'));
  await page.keyboard.type('lamp');
  await keyboard.goTo(page.getByRole('radio', { name: /^A program/ }));
  await keyboard.press('ArrowDown');
  t.ok(await keyboard.arrives(page.getByRole('radio', { name: /^An assistant/ })), 'arrows choose the kind');
  const box = page.getByRole('checkbox', { name: 'Read your goals' });
  await keyboard.use(box, { with: 'Space' });
  t.equal(await box.isChecked(), false);
  await keyboard.use(page.getByRole('button', { name: 'Make the key' }));
  await page.getByRole('heading', { name: 'The key lamp is made' }).waitFor();
  await keyboard.seen('at the new key');
  await keyboard.use(page.getByRole('button', { name: 'I have stored it' }));
  await keyboard.seen('after the new key');
  const revoke = page.getByRole('button', { name: 'Revoke lamp' });
  await keyboard.use(revoke);
  await page.getByRole('dialog').waitFor();
  await keyboard.seen('in the question');
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.ok(await keyboard.arrives(revoke), 'the focus returns from the question');
  await keyboard.press('Enter');
  const sure = page.getByRole('button', { name: 'Revoke it' });
  await sure.waitFor();
  if (!(await keyboard.has(sure))) await keyboard.goTo(sure);
  await keyboard.press('Enter');
  await page.getByText('The key lamp is revoked.').waitFor();
  await keyboard.seen('after the revocation');
};

t.test('everything is done with keys alone', { skip, timeout: 300_000 }, async (t) => {
  const service = await startService(t);
  const { uid } = await service.user('keyboard');
  const browser = await openBrowser(t, (await scene([0, 1, 2, 3, 4])).pcm);
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.addInitScript(watchLog);
  const { secret } = await withDatabase(service.settings, (sql) => createConsoleLink(sql, uid));

  await t.test('the link', async (t) => {
    const keyboard = new Keyboard(t, page);
    await page.goto(`${service.base}/console/enter#${secret}`);
    await page.getByRole('button', { name: /^Continue as/ }).waitFor();
    await keyboard.seen('on the page of the link');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await keyboard.use(page.getByRole('link', { name: 'To the content' }));
    t.ok(await keyboard.arrives(page.locator('main')));
    await keyboard.goTo(page.getByRole('link', { name: 'Start recording' }));
  });
  await t.test('a recording', (t) => record(t, new Keyboard(t, page)));
  await t.test('corrections', (t) => correct(t, new Keyboard(t, page)));
  await t.test('an export', (t) => exported(t, new Keyboard(t, page)));
  await t.test('a key', (t) => makeKey(t, new Keyboard(t, page)));
  t.same(problems, []);
});
