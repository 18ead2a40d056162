/** Tests the page at /docs in a real browser, which enforces the page's Content-Security-Policy. */
import { chromium } from 'playwright-core';
import t from 'tap';
import { browserProgram as program, browserMissing as skip } from '../../support/browser.js';
import { startApi } from '../support.js';

t.test('page of the API in a browser', { skip }, async (t) => {
  const api = await startApi(t);
  const browser = await chromium.launch({ executablePath: program!, chromiumSandbox: false });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => {
    // Swagger UI sets a few inline styles. The policy blocks them, and the page works without them.
    if (message.type() === 'error' && !/^Applying inline style/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(api.base) && !url.startsWith('data:')) elsewhere.push(url);
  });
  await page.goto(`${api.base}/docs`);
  await page.locator('#operations-Conversations-listConversations').click({ timeout: 60_000 });
  await page.locator('text=include_transcript').first().waitFor();
  t.ok((await page.locator('.opblock').count()) >= 9, 'every operation is shown');
  t.same(complaints, [], 'the policy blocks nothing that the page needs');
  t.same(elsewhere, [], 'nothing is loaded from other hosts');
});
