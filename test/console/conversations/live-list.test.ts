/** Opens the first page in Chromium: without a reload, it shows which conversations begin and end. */
import { chromium } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { fromSegments, said, startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { enterConsole } from '../pages/console-browser.js';

t.test('Today follows conversations in progress', { skip, timeout: 240_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid, key } = await api.person(undefined, 'Ann');
  const { body } = await api.call(fromSegments, {
    credential: key,
    body: { transcript_segments: [said('One.', 0, 4)] },
  });
  const change = (status: string) => api.sql`
    update conversations set status = ${status}, title_by_user = 'Tea', discarded = false,
      structured = jsonb_set(structured, '{title}', '"Tea"')
    where id = ${body.id as string}`;
  await change('completed');
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  await page.clock.install();
  const { problems } = await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const count = (): number => requests.filter((path) => path.endsWith('/conversations/live')).length;
  await page.goto(`${api.base}/console`);
  await page.getByText('Nothing is being recorded.').waitFor();
  const before = count();
  await page.clock.runFor(9_000);
  t.equal(count(), before, 'the page waits between two requests');

  const live = page.getByRole('link', { name: 'Conversation in progress' });
  await change('in_progress');
  await page.clock.runFor(10_000);
  await live.waitFor();

  await change('completed');
  await page.clock.runFor(10_000);
  await page.getByText('Nothing is being recorded.').waitFor();
  await until(
    () => page.getByText('Tea', { exact: true }).isVisible(),
    'the list of the last conversations is new, too',
  );

  await page.clock.fastForward(3_600_000);
  const unattended = count();
  await page.clock.runFor(30_000);
  t.equal(count(), unattended, 'an hour after the last input, the page does not keep the session alive');
  await page.keyboard.press('Shift');
  await page.clock.runFor(10_000);
  await until(() => count() === unattended + 1, 'an input begins the requests again');
  t.same(problems, []);
});
