/** A user imports audio files in Chromium, and reads their words. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t from 'tap';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { wordError } from '../../../src/app/sample/word-error.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { browserMissing as skip } from '../../support/browser.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { enterConsole, findingsOf, openBrowser } from './console-browser.js';

const speech = 'fixtures/speech/sense_and_sensibility_01_austen_64kb';
const wav = readFileSync(`${speech}-0870.wav`);
const { utterances } = JSON.parse(readFileSync('fixtures/speech/transcripts.json', 'utf8')) as {
  readonly utterances: readonly { readonly file: string; readonly text: string }[];
};

/** Returns an MP3 of a fixture if ffmpeg is installed, otherwise its WAV. */
const compressed = (): { name: string; mimeType: string; buffer: Buffer } => {
  const input = readFileSync(`${speech}-0920.wav`);
  try {
    const buffer = execFileSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', '-f', 'mp3', 'pipe:1'], { input });
    return { name: 'talk.mp3', mimeType: 'audio/mpeg', buffer };
  } catch {
    return { name: 'talk.wav', mimeType: 'audio/wav', buffer: input };
  }
};

const words = async (page: Page): Promise<string> =>
  (await page.locator('.lines p:not(.actions)').allInnerTexts()).join(' ');

t.test('imports of the pages', { skip, timeout: 400_000 }, async (t) => {
  const service = await startService(t);
  const { uid } = await service.user('console-imports');
  const browser = await openBrowser(t);
  const page = await browser.newPage();
  const { secret } = await withDatabase(service.settings, (sql) => createConsoleLink(sql, uid));
  const { problems, foreign } = await enterConsole(service.base, secret, page);
  await page.goto(`${service.base}/console/conversations`);
  const choose = page.locator('input[type=file]');
  const items = page.getByRole('region', { name: 'Imported files' }).locator('li');

  await t.test('files that cannot be sent say why; the keyboard alone suffices', async (t) => {
    await page.getByRole('button', { name: 'Import audio files', disabled: false }).waitFor();
    const picker = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import audio files' }).focus();
    await page.keyboard.press('Enter');
    t.ok((await picker).isMultiple());
    t.match(await choose.getAttribute('accept'), /^\.wav,\.ogg,/);
    await choose.setInputFiles([
      { name: 'empty.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(0) },
      { name: '<b>notes</b>.wav', mimeType: 'audio/wav', buffer: Buffer.from('no samples at all') },
    ]);
    await page.getByText('The file is empty.').waitFor();
    const markOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '::before').content`);
    t.match(await markOf('[aria-label="Chosen files"] [role=alert]'), 'Problem', 'an error has a mark');
    t.equal(await markOf('[aria-label="Chosen files"]'), 'none', 'a question has no mark of an error');
    t.same(await findingsOf(page), []);
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Import one file');
    await page.keyboard.press('Escape');
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Import audio files');
    await choose.setInputFiles({
      name: '<b>notes</b>.wav',
      mimeType: 'audio/wav',
      buffer: Buffer.from('nothing'),
    });
    await page.getByRole('button', { name: 'Import one file' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/is not an audio file of a known format.* Choose a whole audio file\./).waitFor();
    t.same(await findingsOf(page), []);
    await page.getByRole('button', { name: 'Hide <b>notes</b>.wav' }).click();
    await items.first().waitFor({ state: 'detached' });
  });

  await t.test('two files become conversations with their words', async (t) => {
    await choose.setInputFiles([{ name: 'meeting.wav', mimeType: 'audio/wav', buffer: wav }, compressed()]);
    const begins = page.locator('input[type=datetime-local]');
    await begins.first().fill('2026-03-02T09:00:07');
    await begins.last().fill('2026-03-03T09:00:08');
    t.equal(await begins.first().inputValue(), '2026-03-02T09:00:07', 'a change keeps the other one');
    t.same(await findingsOf(page), []);
    await page.getByRole('button', { name: 'Import 2 files' }).click();
    await items.nth(1).waitFor();
    t.same(await findingsOf(page), []);
    const links = page.getByRole('link', { name: 'Open the conversation' });
    await until(async () => (await links.count()) === 2, 'both are imported', 120_000);
    t.same(await findingsOf(page), []);
    await page.locator('.list a').getByText(/\w/).first().waitFor();
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    for (const [at, name] of ['0870', '0920'].entries()) {
      await page.goto(service.base + addresses[at]);
      await page.locator('.lines li').first().waitFor();
      const expected = utterances.find(({ file }) => file.includes(name))!.text;
      const { rate } = wordError(expected, await words(page));
      t.comment(`word error ${(rate * 100).toFixed(1)} %`);
      t.ok(rate < 0.3, `the words of ${name}`);
    }
    await page
      .getByText(/Mar.* 3.* 2026/)
      .first()
      .waitFor();
  });

  await t.test('dropped files are taken, and an import goes on while other pages are shown', async (t) => {
    await page.getByRole('link', { name: 'Conversations', exact: true }).click();
    await page.getByRole('button', { name: 'Import audio files' }).waitFor();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/console/api/imports?**', async (route) => {
      await held;
      await route.continue();
    });
    const transfer = await page.evaluateHandle(
      `(() => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob('${wav.toString('base64')}'), (letter) => letter.charCodeAt(0));
        for (const name of ['one.wav', 'two.wav']) data.items.add(new File([bytes], name, { lastModified: 1772442000000 }));
        return data;
      })()`,
    );
    for (const event of ['dragover', 'drop'])
      await page.locator('h1').dispatchEvent(event, { dataTransfer: transfer, bubbles: true });
    await page.getByRole('button', { name: 'Import 2 files' }).click();
    await items.getByText('two.wav waits for the file before it.').waitFor();
    await page.getByRole('button', { name: 'Cancel two.wav' }).click();
    await items.nth(1).waitFor({ state: 'detached' });
    await page.getByRole('navigation').getByRole('link', { name: 'Today' }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    release();
    await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('link', { name: 'Open the conversation' }).waitFor({ timeout: 120_000 });
    t.match(await items.first().textContent(), /one\.wav is imported/);
    await page.unroute('**/console/api/imports?**');
  });

  await t.test('a lost connection is said, and the file is sent again', async (t) => {
    await page.route('**/console/api/imports?**', (route) => route.abort());
    await choose.setInputFiles({ name: 'again.wav', mimeType: 'audio/wav', buffer: wav });
    await page.getByRole('button', { name: 'Import one file' }).click();
    await page.getByText('The connection was lost.').waitFor();
    t.same(await findingsOf(page), []);
    await page.unroute('**/console/api/imports?**');
    await page.getByRole('button', { name: 'Try again: again.wav' }).click();
    await items.getByText(/again\.wav (is imported|waits|is being)/).waitFor();
    await page.getByText('The connection was lost.').waitFor({ state: 'detached' });
  });

  t.same(
    problems.filter((text) => !/Failed to load resource/.test(text)),
    [],
  );
  t.same(foreign, []);
});
