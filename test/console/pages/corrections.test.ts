/**
 * Corrects conversations in Chromium: texts, speakers, splits, merges and lists, some of them with the keyboard alone.
 */
import { chromium, type Page } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { fromSegments, said, startApi } from '../../sidecar/support.js';
import { browserProgram, browserMissing as skip } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { enterConsole, findingsOf } from './console-browser.js';

/** Presses keys, and counts them. */
class Keys {
  pressed = 0;
  constructor(private readonly page: Page) {}

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.pressed++;
      await this.page.keyboard.press(key);
    }
  }
}

/**
 * Counts the calls of functions of the page while it stores a changed text of a segment. Unlike time, the count does
 * not depend on the load of the machine.
 */
const callsOfAnEdit = async (
  page: Page,
  address: string,
  segments: number,
  text: string,
): Promise<number> => {
  await page.goto(address);
  await page
    .locator(`.lines li:nth-child(50)`)
    .nth(Math.ceil(segments / 50) - 1)
    .waitFor({ state: 'attached' });
  await page.locator('.actions').waitFor();
  await page.keyboard.press('e');
  await page.getByLabel('Text of the segment').fill(text);
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.send('Profiler.takePreciseCoverage');
  await page.keyboard.press('Enter');
  await page.getByText('The text is changed.').waitFor();
  const { result } = await session.send('Profiler.takePreciseCoverage');
  await session.detach();
  return result
    .filter(({ url }) => url.includes('/console/files/'))
    .flatMap(({ functions }) => functions)
    .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
};

t.test('corrections in the browser', { skip, timeout: 600_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { sql } = api;
  const { uid, key } = await api.person();
  const made = async (texts: readonly string[], speakers: number, hour: number): Promise<string> => {
    const transcript_segments = texts.map((text, at) =>
      said(text, at * 5, at * 5 + 4, { speaker: `SPEAKER_0${at % speakers}`, speaker_id: at % speakers }),
    );
    const started_at = `2026-03-02T${String(hour).padStart(2, '0')}:00:00Z`;
    const { body } = await api.call(fromSegments, {
      credential: key,
      body: { transcript_segments, started_at },
    });
    return body.id as string;
  };
  const browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  const { problems } = await enterConsole(api.base, (await createConsoleLink(sql, uid)).secret, page);
  const addressOf = (id: string): string => `${api.base}/console/conversations/${id}`;
  const open = async (id: string): Promise<void> => {
    await page.goto(addressOf(id));
    await page.locator('.actions').waitFor();
  };
  const names = () => page.locator('.lines .who').allTextContents();
  const links = () => page.locator('.list a').allTextContents();
  /** Waits until the page shows these texts. */
  const shows = (read: () => Promise<string[]>, expected: readonly string[]): Promise<unknown> =>
    until(
      async () => JSON.stringify(await read()) === JSON.stringify(expected),
      `the page shows ${expected}`,
    );
  const texts = () => page.locator('.lines p:not(.actions)').allTextContents();

  await t.test('an empty list', async (t) => {
    await page.goto(`${api.base}/console/conversations`);
    await page.getByText('There are no conversations yet.').waitFor();
    t.same(await findingsOf(page), []);
  });

  const turns = [
    'Shall we plant beans?',
    'Yes, in May.',
    'I bring the seeds.',
    'Good.',
    'And water?',
    'I have a hose.',
  ];
  const garden = await made(turns, 3, 9);

  await t.test('three speakers are corrected with at most six keys each', async (t) => {
    for (const name of ['Bob', 'Carla'])
      await sql`
        insert into people (id, uid, name, created_at, updated_at) values (gen_random_uuid(), ${uid}, ${name}, now(), now())`;
    await open(garden);
    const keys = new Keys(page);
    const perSpeaker = async (...pressed: readonly string[]): Promise<number> => {
      const before = keys.pressed;
      await keys.press(...pressed);
      return keys.pressed - before;
    };
    const counts = [await perSpeaker('n', 'm', 'Enter')];
    await page.getByText('2 segments changed.').waitFor();
    counts.push(await perSpeaker('x', 'n', 'b', 'Enter'));
    await page.locator('.lines .who').getByText('Bob').nth(1).waitFor();
    counts.push(await perSpeaker('x', 'n', 'D', 'o', 'Enter'));
    await page.locator('.lines .who').getByText('Do').nth(1).waitFor();
    await shows(names, ['Ann', 'Bob', 'Do', 'Ann', 'Bob', 'Do']);
    t.ok(
      counts.every((count) => count <= 6),
      counts.join(', '),
    );
    t.same(await page.locator('.timeline th .who').allTextContents(), ['Ann', 'Bob', 'Do']);
  });

  await t.test('this only, and undo', async (t) => {
    await open(garden);
    await page.keyboard.press('n');
    await page.getByLabel('this only (1)').check();
    await page.getByRole('option', { name: 'Carla' }).click();
    await page.getByText('1 segment changed.').waitFor();
    await shows(names, ['Carla', 'Bob', 'Do', 'Ann', 'Bob', 'Do']);
    await page.getByRole('button', { name: 'Undo the name Carla' }).waitFor();
    t.same(await findingsOf(page), []);
    await page.keyboard.press('u');
    await page.getByText('Undone: the name Carla.').waitFor();
    await shows(names, ['Ann', 'Bob', 'Do', 'Ann', 'Bob', 'Do']);
    const stored =
      await sql`select is_user from segments where conversation_id = ${garden} order by position limit 1`;
    t.match(stored, [{ is_user: true }]);
  });

  await t.test('a text is edited with the keyboard, and undone', async (t) => {
    await open(garden);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    t.same(await findingsOf(page), []);
    await page.getByLabel('Text of the segment').fill('Yes, in <b>June</b>.');
    await page.keyboard.press('Enter');
    await page.getByText('The text is changed.').waitFor();
    t.equal((await texts())[1], 'Yes, in <b>June</b>.');
    const outdated = page.getByText('You have corrected the transcript since this summary was made.');
    await page.getByRole('tab', { name: 'Summary' }).click();
    await outdated.waitFor();
    t.same(await findingsOf(page), []);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    // The page handles keys of the transcript only while it shows the transcript.
    await page.getByText('Yes, in <b>June</b>.').waitFor();
    await page.keyboard.press('u');
    await page.getByText('Undone: the change of a text.').waitFor();
    t.equal((await texts())[1], turns[1]);
  });

  await t.test('a summary is not marked before a correction', async (t) => {
    await open(garden);
    await page.getByRole('tab', { name: 'Summary' }).click();
    t.equal(await page.getByText('You have corrected the transcript').count(), 0);
  });

  await t.test('a text that has changed meanwhile keeps what was typed', async (t) => {
    await open(garden);
    await page.keyboard.press('e');
    await sql`update segments set revision = revision + 5, corrections = corrections + 5 where conversation_id = ${garden}`;
    await page.getByLabel('Text of the segment').fill('My text.');
    await page.keyboard.press('Enter');
    await page.getByText('The segment has changed since it was read.').waitFor();
    t.equal(await page.getByLabel('Text of the segment').inputValue(), 'My text.');
    t.same(await findingsOf(page), []);
    await page.keyboard.press('Escape');
    t.equal(await page.evaluate('document.activeElement.matches("li.current")'), true, 'the focus returns');
  });

  await t.test('all parts of the page, and its title, star and folder', async (t) => {
    await sql`
      insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, conversation_id, created_at, updated_at)
      values (gen_random_uuid(), ${uid}, 'Grows beans.', 'other', 'private', false, false, 'a', ${garden}, now(), now())`;
    await open(garden);
    await page.getByRole('button', { name: 'Name speaker' }).click();
    t.same(await findingsOf(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Transcript' }).focus();
    await page.keyboard.press('ArrowRight');
    t.same(await findingsOf(page), []);
    await page.keyboard.press('ArrowRight');
    await page.getByText('Grows beans.').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('There are no photos.').waitFor();
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByLabel('Title').fill('Garden plan');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Garden plan' }).waitFor();
    await page.getByRole('button', { name: 'Star' }).click();
    await page.getByRole('button', { name: 'Remove the star' }).waitFor();
    await page.getByText('★ starred').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    t.same(await findingsOf(page), []);
    const [row] = await sql`select starred, title_by_user from conversations where id = ${garden}`;
    t.match(row, { starred: true, title_by_user: 'Garden plan' });
  });

  await t.test('a split leads to the new conversation; a merge of the list undoes it', async (t) => {
    await open(garden);
    for (const key of ['j', 'j', 'j', 's']) await page.keyboard.press(key);
    await page.getByText('Move this segment and all that follow (3) to a new conversation?').waitFor();
    t.same(await findingsOf(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Part of Garden plan' }).waitFor();
    await page.locator('.actions').waitFor();
    await shows(texts, turns.slice(3));
    await page.goto(`${api.base}/console/conversations`);
    for (const name of ['Select Garden plan', 'Select Part of Garden plan'])
      await page.getByLabel(name, { exact: true }).check();
    t.same(await findingsOf(page), []);
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('heading', { name: 'Garden plan', exact: true }).waitFor();
    await page.locator('.actions').waitFor();
    await shows(texts, turns);
  });

  await t.test('a split and a merge are undone with a key', async (t) => {
    await open(garden);
    for (const key of ['j', 'j', 'j', 's', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'Part of Garden plan' }).waitFor();
    await page.getByRole('button', { name: 'Undo the split' }).waitFor();
    t.same(await findingsOf(page), []);
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Garden plan', exact: true }).waitFor();
    await page.getByText('Undone: the split.').waitFor();
    await shows(texts, turns);

    const tea = await made(['Tea at noon.'], 1, 11);
    await page.goto(`${api.base}/console/conversations`);
    const boxes = page.getByRole('checkbox', { name: /^Select / });
    await boxes.nth(1).waitFor();
    for (const box of await boxes.all()) await box.check();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('2 conversations are merged.').waitFor();
    await page.getByRole('button', { name: 'Undo the merge of 2 conversations' }).click();
    await page.getByText('Undone: the merge of 2 conversations.').waitFor();
    // The list is loaded again after the notice.
    await until(async () => (await links()).length === 2, 'both conversations are listed');
    t.same(await findingsOf(page), []);
    await open(tea);
    await shows(texts, ['Tea at noon.']);
    await sql`update conversations set deleted_at = now() where id = ${tea}`;
  });

  await t.test('an undo that is refused says why', async (t) => {
    const id = await made(['One.', 'Two.'], 2, 10);
    await open(id);
    for (const key of ['j', 's', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Undo the split' }).waitFor();
    await page.getByRole('button', { name: 'Star' }).click();
    await page.getByRole('button', { name: 'Remove the star' }).waitFor();
    await page.getByText('★ starred').waitFor();
    await page.keyboard.press('u');
    await page
      .getByRole('alert')
      .getByText(/a title, a star or a folder was changed since/)
      .waitFor();
    t.same(await findingsOf(page), []);
    await open(id);
    await page.keyboard.press('n');
    await page.getByRole('option', { name: 'Carla' }).click();
    await page.getByText('1 segment changed.').waitFor();
    await sql`update segments set revision = revision + 1, corrections = corrections + 1 where conversation_id = ${id}`;
    await page.keyboard.press('u');
    await page
      .getByRole('alert')
      .getByText(/The segment has changed since it was read/)
      .waitFor();
    await sql`update conversations set deleted_at = now() where id = ${id} or split_from = ${id}`;
  });

  await t.test('the list is filtered, searched and changed', async (t) => {
    const other = await made(['Tea at noon.'], 1, 12);
    await sql`update conversations set structured = jsonb_set(structured, '{title}', '"Tea"') where id = ${other}`;
    await page.goto(`${api.base}/console/conversations`);
    await page.getByRole('link', { name: 'Tea' }).waitFor();
    await page.getByLabel('Speaker').selectOption({ label: 'Bob' });
    await page.getByRole('link', { name: 'Tea' }).waitFor({ state: 'detached' });
    await shows(links, ['Garden plan']);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Starred').check();
    await page.getByRole('link', { name: 'Tea' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('link', { name: 'Tea' }).waitFor();
    await page.getByLabel('Search by words and meaning').fill('hose');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Tea' }).waitFor({ state: 'detached' });
    await shows(links, ['Garden plan']);
    await page.getByLabel('Search by words and meaning').fill('');
    await page.getByLabel('Select Tea').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    t.same(await findingsOf(page), []);
    await page.getByRole('button', { name: 'Delete', exact: true }).nth(1).click();
    await page.getByText('1 changed.').waitFor();
    await page.getByRole('link', { name: 'Tea' }).waitFor({ state: 'detached' });
    const [row] = await sql`select deleted_at is not null as deleted from conversations where id = ${other}`;
    t.equal(row!.deleted, true);
  });

  await t.test('an edit of 5,000 segments does at most twice the work of 50', async (t) => {
    const long = async (segments: number): Promise<string> => {
      const id = await made(['Placeholder.'], 1, 14);
      await sql`delete from segments where conversation_id = ${id}`;
      await sql`
        insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
        select gen_random_uuid(), ${id}, n, 1, 'Some words of segment ' || n, 'SPEAKER_0' || n % 2, n % 2, false, n * 3, n * 3 + 2
        from generate_series(1, ${segments}::integer) as n`;
      return id;
    };
    const [few, many] = [await long(50), await long(5000)];
    const [little, much] = [
      await callsOfAnEdit(page, addressOf(few), 50, 'Few.'),
      await callsOfAnEdit(page, addressOf(many), 5000, 'Many.'),
    ];
    t.comment(`${little} calls with 50 segments, ${much} with 5,000`);
    t.ok(little > 20, 'calls are counted');
    t.ok(much <= 2 * little, `${much} of at most ${2 * little} calls`);
  });

  await t.test('a page that could not be read', async (t) => {
    await page.route('**/segments*', (route) =>
      route.fulfill({ status: 503, json: { detail: 'The database is away' } }),
    );
    await page.goto(addressOf(garden));
    await page.getByText('The database is away.').waitFor();
    t.same(await findingsOf(page), []);
    await page.unroute('**/segments*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.actions').waitFor();
  });

  t.same(
    problems.filter((text) => !/40[49]|503/.test(text)),
    [],
    'no error of a script or of the policy',
  );
});
