/** Names speakers in Chromium: which segments a name applies to, if segments of one speaker have several names. */
import { chromium } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { fromSegments, said, startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { enterConsole, findingsOf } from '../pages/console-browser.js';

t.test('a name applies to the segments that show the same speaker', { skip, timeout: 240_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid, key } = await api.person(undefined, 'Ann');
  const transcript_segments = ['One.', 'Two.', 'Three.', 'Four.'].map((text, at) =>
    said(text, at * 5, at * 5 + 4),
  );
  const { body } = await api.call(fromSegments, { credential: key, body: { transcript_segments } });
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  const { problems } = await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);
  await page.goto(`${api.base}/console/conversations/${body.id as string}`);
  await page.locator('.actions').waitFor();
  const rows = page.locator('.lines li');
  const shows = (expected: string) =>
    until(async () => `${await page.locator('.lines .who').allTextContents()}` === expected, expected);
  const name = async (row: number, scope: string, person: string): Promise<void> => {
    await rows.nth(row).focus();
    await page.keyboard.press('n');
    await page.getByLabel(scope).check();
    await page.getByLabel('Who is this?').fill(person);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Undo the name ${person}` }).waitFor();
  };

  await name(1, 'this only (1)', 'Tom');
  await name(2, 'this block (2)', 'Jane');
  await shows('Speaker 0,Tom,Jane,Jane');
  await name(1, 'all of this speaker (1)', 'Sam');
  await shows('Speaker 0,Sam,Jane,Jane');
  await name(0, 'all of this speaker (1)', 'Jane');
  await shows('Jane,Sam,Jane,Jane');
  await name(3, 'all of this speaker (3)', 'Sam');
  await shows('Sam,Sam,Sam,Sam');
  await name(0, 'all of this speaker (4)', 'Ann');
  await shows('Ann,Ann,Ann,Ann');
  await page.keyboard.press('u');
  await shows('Sam,Sam,Sam,Sam');
  await page.reload();
  await shows('Sam,Sam,Sam,Sam');
  t.same(await findingsOf(page), []);
  t.same(problems, []);
});
