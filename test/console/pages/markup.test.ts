/**
 * Tests payloads of markup in every text that the console shows: each is shown as it is, nothing runs, and nothing is
 * loaded. `markup-holes.test.ts` shows that these checks can fail.
 */
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { emptySegment } from '../../../src/wire/segment.js';
import { password, type SignInApi, startIssuer } from '../../sidecar/issuer/sign-in-support.js';
import type { Api } from '../../sidecar/support.js';
import { browserMissing as skip } from '../../support/browser.js';
import { markupPayloads, storedPayloads } from '../../support/texts/markup-payloads.js';
import { until } from '../../support/until.js';
import { openBrowser } from './console-browser.js';
import { fakeLive } from './fake-live.js';
import { storeHostileRecords } from './markup-records.js';
import { missingIn, strayIn, watch } from './markup-watch.js';

const all = markupPayloads.map(([, text]) => text);
const directions = markupPayloads.flatMap(([hole, text]) => (hole === 'sentence' ? [text] : []));
/** All payloads as one text, for places that can show only one text. */
const together = storedPayloads.join(' ');
/** Names of keys are trimmed when they are stored. */
const keyNames = storedPayloads.map((text) => text.trim());
/** The text of an error that repeats all payloads. */
const detail = all.join(' ');

/** Assistants that ask for access. The sign-in page shows their names. The field of the e-mail address gets all payloads. */
const clients = storedPayloads
  .filter((_, at) => at % 8 === 0)
  .map((name, at) => ({ id: `client-${at}`, name, redirect_uris: ['https://helper.example/callback'] }));

/** Texts that may stand alone in a paragraph, although they change the direction of the text that follows. */
const isolated = [
  together,
  detail,
  `${detail}.`,
  `Me (${together})`,
  `Request ${together}`,
  storedPayloads.join('\n'),
  ...directions,
];

/** Waits until the selected elements show all texts. Then nothing else may be on the page. */
const shows = async (
  t: Test,
  page: Page,
  what: string,
  selector: string,
  texts: readonly string[],
  attribute?: string,
): Promise<void> => {
  let missing: readonly string[] = texts;
  await until(
    async () => {
      missing = await missingIn(page, selector, texts, attribute);
      return missing.length === 0;
    },
    `${what} as they are`,
    15_000,
  ).catch(() => undefined);
  t.same(missing, [], `${what} are shown as they are`);
  t.same(await strayIn(page, isolated), [], `${what} make nothing else`);
};

const testLive = async (t: Test, page: Page, live: Awaited<ReturnType<typeof fakeLive>>): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
  await page.getByRole('button', { name: /^Start / }).click();
  await page.getByText(/^Connected · /).waitFor();
  live.send(
    all.map((text, at) => ({
      ...emptySegment,
      id: `segment-${at}`,
      text,
      speaker_id: at,
      start: at * 3,
      end: at * 3 + 2,
      translations: [{ lang: 'en', text }],
    })),
  );
  for (const [at, person_name] of all.entries())
    live.send({
      type: 'speaker_label_suggestion',
      segment_id: `segment-${at}`,
      speaker_id: at,
      person_id: 'x',
      person_name,
    });
  await shows(t, page, 'live words', '.words li p:not(.translation)', all);
  await shows(t, page, 'translations', '.words .translation', all);
  await shows(t, page, 'guesses', '.speakers bdi', all);
  await shows(t, page, 'microphones', 'select option', all);
  await page.getByRole('button', { name: 'Stop and save' }).click();
  await page.getByText('Saved.').waitFor();
};

const testConversation = async (t: Test, api: Api, page: Page, full: string): Promise<void> => {
  await page.goto(`${api.base}/console/conversations/${full}`);
  const open = (name: RegExp) => page.getByRole('tab', { name }).click();
  await shows(t, page, 'segments', '.lines p:not(.actions)', storedPayloads);
  await shows(t, page, 'speakers', '.lines .who bdi', storedPayloads);
  await shows(t, page, 'speakers of the timeline', '.timeline th bdi', storedPayloads);
  await shows(t, page, 'folders', 'select option', storedPayloads);
  await page.getByRole('button', { name: 'Name speaker' }).click();
  for (const text of storedPayloads.filter((_, at) => at % 10 === 0)) {
    await page.getByLabel('Who is this?').fill(text);
    await shows(t, page, 'people to choose', '.choices bdi', [text]);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit text' }).click();
  await shows(t, page, 'texts to edit', 'textarea', [storedPayloads[0]!], 'value');
  await page.keyboard.press('Escape');
  await open(/^Summary/);
  await shows(t, page, 'summaries', '[role=tabpanel] p', [storedPayloads.join('\n')]);
  await open(/^Tasks/);
  await shows(t, page, 'tasks', '[role=tabpanel] li', storedPayloads);
  await open(/^Memories/);
  await shows(t, page, 'memories', '[role=tabpanel] li', storedPayloads);
  await open(/^Photos/);
  await shows(t, page, 'descriptions of photos', '.photos li p:not(.small)', storedPayloads);
  await shows(t, page, 'alternative texts of photos', '.photos img', storedPayloads, 'alt');
};

const testTitles = async (t: Test, api: Api, page: Page, titled: string): Promise<void> => {
  await page.goto(`${api.base}/console/conversations/${titled}`);
  await page.getByRole('heading', { name: 'Titled' }).waitFor();
  for (const text of [...storedPayloads.filter((_, at) => at % 6 === 0), together]) {
    await api.sql`update conversations set structured = structured || ${api.sql.json({ title: text })} where id = ${titled}`;
    await page.getByRole('button', { name: 'Read again' }).click();
    await shows(t, page, 'titles', 'h1', [text]);
    await until(
      async () => (await missingIn(page, 'title', [`${text} - Cochlea`])).length === 0,
      'the name of the tab',
    );
  }
  await page.getByRole('button', { name: 'Edit title' }).click();
  await shows(t, page, 'titles to edit', 'input', [together], 'value');
  for (const format of ['Text', 'Markdown', 'JSON']) {
    await page.getByText('Export', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: format, exact: true }).click(),
    ]);
    t.match(download.suggestedFilename(), /^\d{4}-\d\d-\d\d [^/\\:*?"<>|%\p{C}]{1,50}\.(txt|md|json)$/u);
  }
};

const testLists = async (t: Test, api: Api, page: Page): Promise<void> => {
  await page.goto(`${api.base}/console`);
  await shows(t, page, 'names of users', '.user bdi', [together]);
  // A source that has no name of its own is shown as a device.
  const recorder = page.locator('[aria-labelledby=now] .list li .small');
  await recorder.nth(storedPayloads.length - 1).waitFor();
  const recorders = await recorder.allTextContents();
  t.same(
    recorders.filter((text) => !/^recorded by a device since [\p{L}\d\s,:]+$/u.test(text)),
    [],
    'sources are not shown',
  );
  t.same(await strayIn(page, isolated), [], 'live conversations make nothing else');
  await page.goto(`${api.base}/console/conversations`);
  const more = page.getByRole('button', { name: 'Show more' });
  for (const part of [1, 2]) {
    await more.click();
    await page
      .locator('.list')
      .nth(part + 1)
      .waitFor();
  }
  await shows(t, page, 'titles of the list', '.list a bdi', storedPayloads);
  await shows(
    t,
    page,
    'labels of boxes',
    '.list input',
    storedPayloads.map((text) => `Select ${text}`),
    'aria-label',
  );
  await shows(t, page, 'folders and people of the filters', 'select option', storedPayloads);
  const search = page.getByLabel('Search by words and meaning');
  for (const text of ['<img src=x onerror=ran()>', '"><img src=x onerror=ran()>', 'onerror']) {
    await search.fill(text);
    await page.keyboard.press('Enter');
    await shows(t, page, 'titles that are found', '.list a bdi', [
      storedPayloads.find((one) => one.includes(text))!,
    ]);
  }
};

const testKeys = async (t: Test, api: Api, page: Page): Promise<void> => {
  // Removes unused keys, so that the test finds a new key by the words "never used".
  await api.sql`delete from api_keys where last_used_at is null`;
  await page.goto(`${api.base}/console/keys`);
  await shows(t, page, 'names of keys', '.key-rows h3 bdi', keyNames);
  await shows(
    t,
    page,
    'labels of buttons',
    '.key-rows > li > button',
    keyNames.map((text) => `Revoke ${text}`),
    'aria-label',
  );
  await page.getByLabel('Name of the key').fill(keyNames[0]!);
  await shows(t, page, 'names to type', '.key-form input', [keyNames[0]!], 'value');
  for (const name of keyNames.filter((_, at) => at % 10 === 0)) {
    await page.getByLabel('Name of the key').fill(name);
    await page.getByRole('button', { name: 'Make the key' }).click();
    await shows(t, page, 'names of new keys', '.new-key h2 bdi', [name]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.locator('.key-rows > li').filter({ hasText: 'never used' }).first();
    await row.getByRole('button').click();
    await page.locator('dialog h2 bdi').waitFor();
    await shows(t, page, 'names in the question', 'dialog h2 bdi', [name]);
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await shows(t, page, 'names of revoked keys', '[role=status] bdi', [name]);
    await row.waitFor({ state: 'detached' });
  }
};

const testErrors = async (t: Test, api: Api, page: Page): Promise<void> => {
  await page.route('**/console/api/conversations/live', (route) =>
    route.fulfill({ status: 400, headers: { 'x-request-id': together }, json: { detail } }),
  );
  await page.goto(`${api.base}/console`);
  await shows(t, page, 'problems', '[role=alert] p', [`${detail}.`]);
  await page.unroute('**/console/api/conversations/live');
  for (const text of [
    '%3Cscript%3Eran()%3C/script%3E',
    '..%2f%3Cimg%20src=x%20onerror=ran()%3E',
    "'%22%3E%3Csvg%20onload=ran()%3E",
  ])
    for (const place of ['/console/', '/console/conversations/']) {
      await page.goto(`${api.base}${place}${text}`);
      t.same(await strayIn(page), [], `an address ${place}${text}`);
    }
};

const testSignIn = async (t: Test, api: Api, page: Page): Promise<void> => {
  const begin = (id: string): string => {
    const code_challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url');
    const redirect_uri = 'https://helper.example/callback';
    const query = { client_id: id, redirect_uri, code_challenge, code_challenge_method: 'S256' };
    return `${api.base}/authorize?${new URLSearchParams({ ...query, response_type: 'code', scope: 'memories.read', state: together })}`;
  };
  for (const { id, name } of clients) {
    await page.goto(begin(id));
    await shows(t, page, 'names of assistants', 'strong', [name]);
  }
  // After a failed sign-in, the field of the e-mail address still has the typed text. The script removes the browser's
  // own checks, which would refuse these payloads.
  await page.evaluate(`(() => {
    const form = document.querySelector('form');
    form.noValidate = true;
    form.email.type = 'text';
    form.email.removeAttribute('maxlength');
    form.email.value = ${JSON.stringify(together)};
    form.password.value = 'x';
    form.requestSubmit();
  })()`);
  await page.getByRole('alert').waitFor();
  await shows(t, page, 'addresses of failed sign-ins', '#email', [together], 'value');
  for (const path of [
    '/console/signed-in?state=',
    '/console/sign-in?here=',
    '/account/password?link=',
    '/authorize?client_id=',
  ]) {
    await page.goto(`${api.base}${path}${encodeURIComponent(together)}`);
    t.same(await strayIn(page), [], path);
  }
};

/** The account page shows the user's address and the names of assistants. The settings of the console show the address. */
const testAccount = async (t: Test, api: SignInApi, page: Page, consoleUser: string): Promise<void> => {
  await api.sql`update users set email = ${together} where uid = ${consoleUser}`;
  await page.goto(`${api.base}/console/settings`);
  await shows(t, page, 'addresses in the settings', '[aria-labelledby=account] bdi', [together]);
  await api.account('eve@example.org');
  const [account] = await api.sql<{ uid: string }[]>`select uid from accounts`;
  const { uid } = account!;
  const resources = { [`${api.base}/v1/mcp/sse`]: 'memories.read' };
  for (const { id } of clients)
    await api.sql`
      insert into issuer_records (kind, hash, payload, uid, client_id, grant_id, expires_at)
      values ('Grant', ${`hash-${id}`}, ${api.sql.json({ resources })}, ${uid}, ${id}, ${id}, now() + interval '1 day')`;
  await page.goto(`${api.base}/account`);
  await page.getByLabel('E-mail address').fill('eve@example.org');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await shows(t, page, 'user ids', 'code', [uid]);
  t.equal(await page.getByRole('link', { name: 'API keys' }).getAttribute('href'), '/console/keys');
  await api.sql`update accounts set email = ${together} where uid = ${uid}`;
  await page.reload();
  await shows(t, page, 'addresses of accounts', 'p strong', [together]);
  const names = clients.map(({ name }) => name);
  await shows(t, page, 'names of assistants with access', 'li strong', names);
  await shows(
    t,
    page,
    'buttons that take back access',
    'li button',
    names.map((name) => `Take back the access of ${name}`),
  );
  // Two users cannot have the same address.
  await api.sql`update users set email = null where uid = ${consoleUser}`;
  await api.sql`update users set email = ${together} where uid = ${uid}`;
  await page.getByRole('link', { name: 'Delete the account' }).click();
  await page.getByRole('heading', { name: 'Delete your account?' }).waitFor();
  await shows(t, page, 'addresses of accounts to delete', 'p strong', [together]);
};

t.test('texts with markup stay texts', { skip, timeout: 240_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startIssuer(t, {
    SIDECAR_PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OAUTH_CLIENTS: JSON.stringify(clients),
    MAX_KEYS_PER_USER: '500',
  });
  const { uid } = await api.person(null, 'Ann');
  await api.sql`update users set name = ${together} where uid = ${uid}`;
  const { full, titled } = await storeHostileRecords(api.sql, uid);
  const browser = await openBrowser(t);
  const context = await browser.newContext();
  const { reports } = await watch(context, api.base);
  // The computer provides the names of microphones. A device chooses its own name, so it may contain markup.
  await context.addInitScript(`navigator.mediaDevices.enumerateDevices = async () =>
    ${JSON.stringify(all)}.map((label, at) => ({ kind: 'audioinput', deviceId: 'd' + at, label }));`);
  const page = await context.newPage();
  const live = await fakeLive(page);

  await t.test('the page of a link', async (t) => {
    await page.goto(`${api.base}/console/enter#${encodeURI('<img src=x onerror=ran()>')}`);
    await page.getByRole('alert').waitFor();
    t.same(await strayIn(page), []);
    await page.goto('about:blank');
    await page.goto(`${api.base}/console/enter#${(await createConsoleLink(api.sql, uid)).secret}`);
    await shows(t, page, 'names of users', 'bdi', [together]);
    await page.getByRole('button', { name: /^Continue as/ }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
  });
  await t.test('lists and search', (t) => testLists(t, api, page));
  await t.test('a conversation', (t) => testConversation(t, api, page, full));
  await t.test('titles, names of tabs and of files', (t) => testTitles(t, api, page, titled));
  await t.test('keys', (t) => testKeys(t, api, page));
  await t.test('the live page', (t) => testLive(t, page, live));
  await t.test('errors and addresses', (t) => testErrors(t, api, page));
  await t.test('pages of the sign-in', (t) => testSignIn(t, api, page));
  await t.test('the account page and the settings', (t) => testAccount(t, api, page, uid));
  t.same(reports, [], 'nothing ran, and nothing was loaded');
});
