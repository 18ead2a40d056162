/** Signs out in Chromium while a page records, keeps audio, or sends files. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { startSigner } from '../../sidecar/console/outside-support.js';
import { startApi } from '../../sidecar/support.js';
import { browserMissing as skip } from '../../support/browser.js';
import { enterConsole, findingsOf, openBrowser } from './console-browser.js';
import { fakeLive } from './fake-live.js';

/** Opens pages of one browser. `enter` signs it in again. @param more settings */
const openPage = async (t: Test, more: Readonly<Record<string, string>> = {}) => {
  const port = String(await freePort());
  const api = await startApi(t, {
    SIDECAR_PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...more,
  });
  const { uid } = await api.person();
  const browser = await openBrowser(t);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.clock.install();
  const live = await fakeLive(page);
  const enter = async (): Promise<void> => {
    await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);
  };
  await enter();
  return { api, uid, context, page, live, enter };
};

/** Asks the service, as the page does, whether the browser has a session. */
const statusOfMe = (page: Page): Promise<number> =>
  page.evaluate(`fetch('/console/api/me').then(({ status }) => status)`) as Promise<number>;

const record = async (page: Page): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
  await page.getByRole('button', { name: /^Start / }).click();
  await page.getByText(/^Connected · /).waitFor();
};

const signOut = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sign out', exact: true }).click();

t.test('a sign-out ends what goes on', { skip, timeout: 240_000 }, async (t) => {
  const { api, context, page, live, enter } = await openPage(t);
  const stops = (): number => live.texts.filter(({ type }) => type === 'stop').length;
  const dialog = page.getByRole('dialog', { name: 'Sign out' });
  const isSignedOut = (): Promise<void> => page.getByText('This browser is not signed in.').waitFor();

  await t.test('a recording goes on with its session if the user stays', async (t) => {
    await record(page);
    await signOut(page);
    await dialog.getByText('This page records.').waitFor();
    t.same(await findingsOf(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/^Connected · /).waitFor();
    t.equal(stops(), 0);
    t.equal(await statusOfMe(page), 200);
  });

  await t.test('a recording is saved before the session ends', async (t) => {
    await signOut(page);
    await dialog.getByRole('button', { name: 'Stop and save, then sign out' }).click();
    await isSignedOut();
    t.equal(stops(), 1);
  });

  await t.test('another tab stops the recording of this one', async (t) => {
    await enter();
    await record(page);
    const other = await context.newPage();
    await other.goto(`${api.base}/console/settings`);
    await other.getByRole('button', { name: 'Sign out here' }).click();
    await other.getByText('This browser is not signed in.').waitFor();
    await page.getByText('Saved.').waitFor();
    t.equal(stops(), 2);
    await other.close();
  });

  await t.test('audio that cannot be stored keeps the user signed in', async (t) => {
    await enter();
    await record(page);
    live.reachable = false;
    await live.cut();
    await page.getByText(/Recording goes on; [1-9]\d* s kept\./).waitFor();
    await signOut(page);
    await dialog.getByRole('button', { name: 'Stop and save, then sign out' }).click();
    for (let step = 0; step < 8; step++) await page.clock.runFor(10_000);
    await dialog.getByText('The recording could not be saved, so you are still signed in.').waitFor();
    await dialog.getByText('This page keeps audio that is not stored.').waitFor();
    t.same(await findingsOf(page), []);
    await dialog.getByRole('button', { name: 'Discard the audio, then sign out' }).click();
    await isSignedOut();
    live.reachable = true;
  });

  await t.test('files that are being sent are cancelled', async () => {
    await enter();
    await page.route('**/console/api/imports?**', () => undefined);
    await page.route('**/console/api/imports', (route) =>
      route.fulfill({ json: { endings: ['wav'], bytes: 1e6, seconds: 60 } }),
    );
    await page.goto(`${api.base}/console/conversations`);
    const file = { name: 'talk.wav', mimeType: 'audio/wav', buffer: Buffer.from('samples') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Import one file' }).click();
    await page.getByText('talk.wav is being').waitFor();
    await signOut(page);
    await dialog.getByText('Audio files are not sent yet.').waitFor();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.getByText('talk.wav is being').waitFor();
    await signOut(page);
    await dialog.getByRole('button', { name: 'Cancel the files, then sign out' }).click();
    await isSignedOut();
  });

  await t.test('a sign-out that fails says why', async (t) => {
    await enter();
    await page.route('**/console/api/sign-out', (route) => route.abort());
    await signOut(page);
    await dialog.getByText('There is no connection to the service.').waitFor();
    await page.unroute('**/console/api/sign-out');
    await dialog.getByRole('button', { name: 'Sign out', exact: true }).click();
    await isSignedOut();
    t.equal(await statusOfMe(page), 401);
  });
});

t.test('a page without a session shows nothing of the user', { skip, timeout: 120_000 }, async (t) => {
  const { api, page, uid, enter } = await openPage(t);
  const title = 'The roof of the kitchen';
  await api.sql`
    insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, structured)
    values (gen_random_uuid(), ${uid}, 'completed', 'phone', now(), now(), now(),
      ${api.sql.json({ title, overview: '', emoji: '', category: 'other', action_items: [], events: [] })})`;
  const isSignedOut = (): Promise<void> => page.getByText('This browser is not signed in.').waitFor();
  const isHidden = async (what: string): Promise<void> => {
    await isSignedOut();
    t.notMatch(await page.content(), title, what);
  };
  const read = async (): Promise<void> => {
    await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('heading', { name: title }).waitFor();
  };

  await t.test('the button "back" after a sign-out', async () => {
    await read();
    await signOut(page);
    await isHidden('after the sign-out');
    for (const step of [1, 2]) {
      await page.goBack();
      await isHidden(`${step} steps back`);
    }
    await page.goto('about:blank');
    await page.goBack();
    await isHidden('from another page');
  });

  await t.test('a session that ends while a page is open', async () => {
    await enter();
    await read();
    await api.sql`update console_sessions set used_at = now() - interval '13 hours' where uid = ${uid}`;
    await page.goBack();
    // The dialog blocks the page. Its unsaved texts remain until the user signs in again.
    await page.locator('dialog[aria-labelledby=session-ended]').waitFor();
    await page.reload();
    await isHidden('the page that was open');
    await page.goForward();
    await isHidden('the conversation');
  });
});

t.test('a sign-out leads to the issuer of the operator and back', { skip, timeout: 240_000 }, async (t) => {
  const { issuer, ends } = await startSigner(t, {
    metadata: (own) => ({ end_session_endpoint: `${own}/end` }),
  });
  const { api, page, live } = await openPage(t, { ID_TOKEN_ISSUER: issuer, CONSOLE_CLIENT_ID: 'console' });
  const states: number[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/sign-out'))
      states.push(live.texts.filter(({ type }) => type === 'stop').length);
  });
  await record(page);
  t.equal(ends.length, 0);
  await signOut(page);
  await page.getByRole('button', { name: 'Stop and save, then sign out' }).click();
  await page.getByRole('heading', { name: 'Signed out' }).waitFor();
  t.same(states, [1], 'the recording was saved before');
  t.equal(new URL(page.url()).pathname, '/console/signed-out');
  t.equal(ends.length, 1);
  t.match(ends[0], { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' });
  t.equal(ends[0]!.referer, undefined);
  t.same(await findingsOf(page), []);
  t.equal(await statusOfMe(page), 401);
  await page.reload();
  await page.getByText('This browser is not signed in.').waitFor();
  t.equal(page.url(), `${api.base}/console`);
});
