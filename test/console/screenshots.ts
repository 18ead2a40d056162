/**
 * Makes the pictures of the README: a browser records speech with its microphone, and opens the stored conversation.
 * `npm run screenshots` runs it. The speech is that of the fixtures.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '../../src/app/database/operator-database.js';
import { readOggFile } from '../../src/app/wearable/read-audio.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { createConsoleLink } from '../../src/identity/console-sessions.js';
import { browserMissing } from '../support/browser.js';
import { startService } from '../support/service.js';
import { enterConsole, openBrowser } from './pages/console-browser.js';

const size = { width: 1280, height: 720 };
/** Ms that words and the summary may take. */
const timeout = 120_000;

const ends: (() => unknown)[] = [];
const teardown = (end: () => unknown): void => void ends.unshift(end);

const takePictures = async (): Promise<void> => {
  const folder = join(packageDirectory(), 'docs', 'images');
  await mkdir(folder, { recursive: true });
  const { pcm } = await readOggFile(join(packageDirectory(), 'fixtures', 'conversation', 'kitchen-roof.ogg'));
  const service = await startService({ teardown });
  const { uid } = await service.user('pictures');
  const browser = await openBrowser({ teardown }, pcm);
  const page = await browser.newPage({ viewport: size });
  const { secret } = await withDatabase(service.settings, (sql) => createConsoleLink(sql, uid));
  await enterConsole(service.base, secret, page);
  await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
  await page.getByRole('button', { name: 'Start recording' }).click();
  await page.locator('.words').getByText('peanuts').waitFor({ timeout });
  await page.getByText(/words after \d+\.\d s/).waitFor({ timeout });
  await page.screenshot({ path: join(folder, 'console-live.png') });
  await page.locator('.words').getByText('tomorrow at').waitFor({ timeout });
  await page.getByRole('button', { name: 'Stop and save' }).click();
  await page.getByRole('link', { name: 'Open the conversation' }).click({ timeout });
  const waiting = page.getByRole('heading', { name: 'Without a summary so far' });
  await page.locator('.words li').first().waitFor({ timeout });
  for (let reads = 0; reads < 60 && (await waiting.isVisible()); reads++) {
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.waitForTimeout(1000);
  }
  await page.locator('.words li').first().waitFor({ timeout });
  await page.screenshot({ path: join(folder, 'console-conversation.png') });
};

try {
  if (browserMissing !== false) throw new Error(browserMissing);
  await takePictures();
} finally {
  for (const end of ends) await end();
}
