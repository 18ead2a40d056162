/**
 * Tests search and filters of the list of conversations in Chromium: the search and filters in the page's address, and
 * two days in the wrong order.
 */
import { chromium } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { fromSegments, said, startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { enterConsole, findingsOf } from './console-browser.js';

t.test('the list of conversations', { skip, timeout: 240_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid, key } = await api.person(undefined, 'Ann');
  for (const [title, day, starred] of [
    ['Garden plan', '2026-03-02', true],
    ['Tea at noon', '2026-03-05', false],
  ] as const) {
    const made = await api.call(fromSegments, {
      credential: key,
      body: { transcript_segments: [said(title, 0, 4)] },
    });
    const { id } = made.body as { id: string };
    await api.sql`
      update conversations set starred = ${starred}, title_by_user = ${title}, started_at = ${`${day}T10:00:00Z`},
        created_at = ${`${day}T10:00:00Z`}, structured = jsonb_set(structured, '{title}', to_jsonb(${title}::text))
      where id = ${id}`;
  }
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  const { problems } = await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);
  const list = `${api.base}/console/conversations`;
  const titles = page.locator('.list a bdi');
  const shows = (expected: readonly string[]) =>
    until(async () => `${(await titles.allTextContents()).sort()}` === `${expected}`, `${expected}`);
  const search = page.getByLabel('Search by words and meaning');
  const starred = page.getByRole('checkbox', { name: 'Starred', exact: true });
  const first = page.getByLabel('From');
  const last = page.getByLabel('to', { exact: true });
  const folder = page.getByRole('region', { name: 'Filters' }).getByLabel('Folder');
  const both = ['Garden plan', 'Tea at noon'];
  const query = (): string => new URL(page.url()).search;

  await t.test('reload, back and forward keep search and filters', async (t) => {
    await page.goto(list);
    await shows(both);
    await starred.check();
    await shows(['Garden plan']);
    t.equal(query(), '?starred=yes');
    await page.reload();
    await shows(['Garden plan']);
    t.ok(await starred.isChecked());
    await page.goBack();
    await shows(both);
    t.notOk(await starred.isChecked());
    await search.fill('"Tea at"');
    await page.keyboard.press('Enter');
    await until(() => query() === '?q=%22Tea+at%22', 'the search stands in the address');
    await page.reload();
    await until(async () => (await titles.first().textContent()) === 'Tea at noon', 'the search is repeated');
    t.equal(await search.inputValue(), '"Tea at"');
    await titles.first().click();
    await page.getByRole('heading', { name: 'Tea at noon' }).waitFor();
    await page.goBack();
    await until(async () => (await search.inputValue()) === '"Tea at"', 'the text is in the field');
    await page.goBack();
    await until(async () => (await search.inputValue()) === '', 'no text is in the field');
    await shows(both);
    await page.goForward();
    await until(async () => (await search.inputValue()) === '"Tea at"', 'the text is in the field again');
    await search.fill('');
    await shows(both);
    t.equal(query(), '');
  });

  await t.test('typing a day is one step of the history', async (t) => {
    await page.goto(list);
    await shows(both);
    const before = await page.evaluate('history.length');
    for (const day of ['0002-03-03', '0020-03-03', '0202-03-03', '2026-03-03']) await first.fill(day);
    await shows(['Tea at noon']);
    t.equal(query(), '?from=2026-03-03');
    t.equal(await page.evaluate('history.length'), Number(before) + 1);
    await page.goBack();
    await shows(both);
  });

  await t.test('days in the wrong order are named, and nothing is requested', async (t) => {
    await page.goto(`${list}?from=2026-03-03`);
    await shows(['Tea at noon']);
    let requests = 0;
    await page.route('**/console/api/conversations?**', (route) => {
      requests++;
      return route.continue();
    });
    await last.fill('2026-03-01');
    await page
      .getByRole('alert')
      .getByText('The first day is after the last day. Change one of them.')
      .waitFor();
    t.equal(await first.getAttribute('aria-invalid'), 'true');
    t.same(await titles.count(), 0);
    t.equal(requests, 0);
    t.same(await findingsOf(page), []);
    await last.fill('2026-03-09');
    await shows(['Tea at noon']);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show all' }).click();
    await shows(both);
    await page.unroute('**/console/api/conversations?**');
  });

  await t.test('what an address cannot mean is left out, and nothing else gets into it', async (t) => {
    for (const foreign of [
      '?from=yesterday&to=2026-99-99&starred=true',
      '?token=secret&cursor=abc&limit=9999',
      `?folder=${'x'.repeat(201)}&person=${'y'.repeat(201)}`,
      '?q=%20%20',
    ]) {
      await page.goto(list + foreign);
      await shows(both);
      t.equal(await first.inputValue(), '', foreign);
      await starred.check();
      await shows(['Garden plan']);
      t.equal(query(), '?starred=yes');
    }
    await page.goto(`${list}?q=${'a'.repeat(5000)}`);
    await page.getByText('Tea at noon').or(page.getByText('No conversation matches')).first().waitFor();
    t.equal((await search.inputValue()).length, 500);
    await page.goto(`${list}?folder=gone`);
    await page.getByText('No conversation matches').or(page.getByRole('alert')).first().waitFor();
    t.equal(await folder.inputValue(), 'gone', 'the filter is seen, and can be removed');
    t.same(await findingsOf(page), []);
    await page.getByRole('button', { name: 'Show all' }).click();
    await shows(both);
  });

  await t.test('a search hides what is not close, and says so', async (t) => {
    const { items } = (await (
      await page.request.get(`${api.base}/console/api/conversations/search?query=tea+garden`, {
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    ).json()) as { items: object[] };
    t.equal(items.length, 2);
    const searched = async (semantic: boolean, scores: readonly number[]): Promise<void> => {
      await page.route('**/console/api/conversations/search?**', (route) =>
        route.fulfill({
          json: {
            semantic,
            returned_count: scores.length,
            items: scores.map((relevance_score, at) => ({ ...items[at], relevance_score })),
          },
        }),
      );
      await page.goto(`${list}?q=xyzzy`);
      await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
    };
    const more = (count: number) =>
      page.getByRole('button', { name: `Show ${count} weaker match${count === 1 ? '' : 'es'}` });
    const nothing = page.getByText('No conversation matches this search well.');
    await searched(true, [0.2499, 0.1]);
    await nothing.waitFor();
    await shows([]);
    t.same(await findingsOf(page), []);
    await more(2).click();
    await until(async () => (await titles.count()) === 2, 'the nearest ones are shown');
    t.same(await findingsOf(page), []);
    await searched(true, [0.25, 0.2499]);
    await more(1).waitFor();
    t.equal(await titles.count(), 1);
    t.equal(await nothing.count(), 0);
    t.same(await findingsOf(page), []);
    await searched(true, [0.9, 0.25]);
    await until(async () => (await titles.count()) === 2, 'both are close');
    t.equal(await page.getByRole('button', { name: /weaker/ }).count(), 0);
    await searched(false, [0.1, 0.05]);
    await until(async () => (await titles.count()) === 2, 'without a comparison of meanings, words decide');
    await searched(true, []);
    await page.getByText('No conversation matches. Change the search or the filters.').waitFor();
    await page.unroute('**/console/api/conversations/search?**');
  });

  await t.test('too many conversations to merge', async (t) => {
    for (let at = 0; at < 9; at++) {
      const body = { transcript_segments: [said(`Talk ${at}`, 0, 4)] };
      t.equal((await api.call(fromSegments, { credential: key, body })).status, 200);
    }
    await page.goto(list);
    await until(async () => (await titles.count()) === 11, 'all are listed');
    const boxes = await page.getByRole('checkbox', { name: /^Select / }).all();
    for (const box of boxes.slice(1)) await box.check();
    t.ok(await page.getByRole('button', { name: 'Merge' }).isEnabled());
    await boxes[0]!.check();
    await page.getByText('11 selected. At most 10 can be merged.').waitFor();
    t.notOk(await page.getByRole('button', { name: 'Merge' }).isEnabled());
    t.ok(await page.getByRole('button', { name: 'Delete' }).isEnabled());
    t.same(await findingsOf(page), []);
  });

  t.same(
    problems.filter((text) => !/Failed to load resource/.test(text)),
    [],
  );
});
