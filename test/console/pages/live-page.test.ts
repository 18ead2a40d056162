/** A user enters the console, records with the microphone of the browser, and reads the stored words. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { wordError } from '../../../src/app/sample/word-error.js';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { browserMissing as skip } from '../../support/browser.js';
import { startService } from '../../support/service.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';
import { enterConsole, findingsOf, openBrowser } from './console-browser.js';

/** Returns whether the lowest rows of the picture, which show speech, have marks. */
const speechWasDrawn = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, canvas.height - 4, canvas.width, 2);
    return data.some((value, place) => place % 4 === 3 && value > 0);
  })()`) as Promise<boolean>;

t.test('records and shows words', { skip, timeout: 300_000 }, async (t) => {
  const service = await startService(t);
  const { uid } = await service.user('console-live');
  const spoken = await scene([0, 1]);
  const browser = await openBrowser(t, spoken.pcm);
  const page = await browser.newPage();
  const { secret } = await withDatabase(service.settings, (sql) => createConsoleLink(sql, uid));
  let onPage = 1;
  const { problems, foreign } = await enterConsole(service.base, secret, page);

  await t.test('empty pages', async (t) => {
    await page.getByText('There are no conversations yet.').waitFor();
    await page.getByText('Nothing is being recorded.').waitFor();
    t.same(await findingsOf(page), []);
  });

  await t.test('the words of the microphone appear', async (t) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
    await page.getByRole('heading', { name: 'Live' }).waitFor();
    t.same(await findingsOf(page), []);
    await page.getByRole('button', { name: 'Start recording' }).click();
    await page.getByText(/^Connected · .*nothing lost/).waitFor();
    const words = async (): Promise<string> =>
      (await page.locator('.words li p:not(.translation)').allInnerTexts()).join(' ');
    await until(async () => wordError(spoken.text, await words()).rate < 0.3, 'the words appear', 90_000);
    const length = spoken.pcm.length / spoken.rate;
    const recorded = async (): Promise<number> => {
      const [minutes, seconds] = (await page.locator('.clock').textContent())!.split(':').map(Number);
      return minutes! * 60 + seconds!;
    };
    await until(async () => (await recorded()) > length + 2, 'the microphone has played everything');
    t.comment(`word error on the page: ${(wordError(spoken.text, await words()).rate * 100).toFixed(1)} %`);
    await page.getByText(/words after \d+\.\d s/).waitFor();
    t.match(await page.locator('.speakers li').first().textContent(), /\d+ %/);
    t.match(await page.locator('.level').textContent(), /^-?\d+ dB$/);
    t.ok(await speechWasDrawn(page), 'marks of speech are drawn');
    t.same(await findingsOf(page), []);
  });

  await t.test(
    'a speaker gets a name while the recording goes on, also another one, and across pages',
    async (t) => {
      await page.getByLabel('Name of Speaker 0').fill('Ann');
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await page.locator('.words .who').first().getByText('Ann').waitFor();
      const ann = page.getByRole('button', { name: 'Change the name Ann' });
      await ann.click();
      t.same(await findingsOf(page), []);
      await page.getByLabel('Name of Ann').fill('Anna');
      await page.keyboard.press('Enter');
      await page.locator('.words .who').first().getByText('Anna').waitFor();
      await page.getByRole('link', { name: 'Conversations' }).click();
      await page.getByRole('heading', { name: 'Conversations' }).waitFor();
      t.ok(await page.getByRole('link', { name: /Live.*recording/ }).isVisible());
      await page.getByRole('link', { name: /Live/ }).click();
      await page.locator('.words .who').first().getByText('Anna').waitFor();
    },
  );

  await t.test('a muted microphone says so', async () => {
    const mute = page.getByRole('button', { name: 'Mute', exact: true });
    await mute.click();
    await page.getByRole('button', { name: 'Unmute' }).waitFor();
    await page.getByText('Connected, muted').waitFor();
    await page.locator('.level').getByText('-60 dB').waitFor();
    await page.getByRole('button', { name: 'Unmute' }).click();
    await mute.waitFor();
  });

  await t.test('stop leads to the stored conversation', async (t) => {
    await page.getByRole('button', { name: 'Stop and save' }).click();
    const link = page.getByRole('link', { name: 'Open the conversation' });
    await link.waitFor({ timeout: 60_000 });
    t.same(await findingsOf(page), []);
    const announced = await page.getByRole('log').locator('p').allInnerTexts();
    t.equal(new Set(announced).size, announced.length, 'each segment is announced once');
    t.equal(announced.length, await page.locator('.words li').count());
    await link.click();
    const stored = page.locator('.words li p:not(.actions)');
    await stored.first().waitFor();
    const words = (await stored.allInnerTexts()).join(' ');
    t.ok(wordError(spoken.text, words).rate < 0.3, words);
    onPage = wordError(spoken.text, words).rate;
    t.equal(await page.locator('.words .who').first().textContent(), 'Anna');
    t.same(await findingsOf(page), []);
  });

  await t.test('the words are as good as those of a client with the same sound', async (t) => {
    const wearable = await service.wearable(await service.user('console-socket'), { codec: 'pcm16' });
    const silence = new Int16Array(spoken.rate * 2);
    const pcm = Int16Array.from([...spoken.pcm, ...silence]);
    await wearable.send(encodeFrames({ pcm, rate: spoken.rate }, 'pcm16', 16_000));
    const rate = (): number => wordError(spoken.text, wearable.transcript.text).rate;
    await until(() => rate() < 0.3, 'the words of the socket', 60_000);
    await wearable.close();
    const percent = (one: number): string => `${(one * 100).toFixed(1)} %`;
    t.comment(`word error: ${percent(onPage)} on the page, ${percent(rate())} on a socket`);
    t.ok(onPage <= rate() + 0.01, 'at most 1 point more on the page');
  });

  t.same(problems, [], 'no error and no report of the policy');
  t.same(foreign, [], 'no request leaves the origin');
});
