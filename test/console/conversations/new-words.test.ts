/**
 * Opens a conversation in progress in Chromium: without a reload, the page shows new words and the end of the
 * conversation.
 */
import { chromium } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { fromSegments, said, startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { enterConsole, findingsOf } from '../pages/console-browser.js';

t.test('a conversation in progress shows new words by itself', { skip, timeout: 240_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { sql } = api;
  const { uid, key } = await api.person(undefined, 'Ann');
  const { body } = await api.call(fromSegments, {
    credential: key,
    body: { transcript_segments: [said('One.', 0, 4), said('Two.', 5, 9)] },
  });
  const id = body.id as string;
  await sql`update conversations set status = 'in_progress' where id = ${id}`;
  await sql`update segments set deleted = true, revision = revision + 1 where conversation_id = ${id}`;
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  const { problems } = await enterConsole(api.base, (await createConsoleLink(sql, uid)).secret, page);
  await page.goto(`${api.base}/console/conversations/${id}`);
  await page.getByText('There are no words yet. New words appear here by themselves.').waitFor();

  await sql`update segments set deleted = false, revision = revision + 1 where conversation_id = ${id} and text = 'One.'`;
  await page.locator('.lines').getByText('One.').waitFor();
  await page.locator('.actions').waitFor();
  await page.keyboard.press('e');
  await page.getByLabel('Text of the segment').fill('Won');
  await sql`update segments set deleted = false, revision = revision + 1 where conversation_id = ${id} and text = 'Two.'`;
  await page.locator('.lines').getByText('Two.').waitFor();
  t.equal(await page.getByLabel('Text of the segment').inputValue(), 'Won', 'an open form stays');
  await page.keyboard.press('Escape');
  await sql`update segments set text = 'One and a half.', revision = revision + 1 where conversation_id = ${id} and text = 'One.'`;
  await page.locator('.lines').getByText('One and a half.').waitFor();
  t.same(await findingsOf(page), []);

  await sql`update conversations set status = 'completed' where id = ${id}`;
  await page.getByText('goes on').waitFor({ state: 'detached' });
  await page.locator('.lines').getByText('Two.').waitFor();
  t.same(problems, []);
});
