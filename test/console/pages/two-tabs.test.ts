/**
 * Two tabs of a browser do not record at the same time, because each word would be stored twice in one conversation.
 */
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { startApi } from '../../sidecar/support.js';
import { browserMissing as skip } from '../../support/browser.js';
import { enterConsole, openBrowser } from './console-browser.js';
import { fakeLive } from './fake-live.js';

t.test('a second tab records only after the first has ended', { skip, timeout: 240_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid } = await api.person();
  const context = await (await openBrowser(t)).newContext();
  const first = await context.newPage();
  const live = await fakeLive(first);
  await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, first);
  await first.goto(`${api.base}/console/live`);
  await first.getByRole('button', { name: 'Start recording' }).click();
  await first.getByText(/^Connected · /).waitFor();

  const second = await context.newPage();
  const later = await fakeLive(second);
  await second.goto(`${api.base}/console/live`);
  await second.getByRole('button', { name: 'Start recording' }).click();
  await second.getByRole('alert').getByText('Another tab of this browser records.').waitFor();
  t.same(later.addresses, [], 'no stream is opened');
  t.ok(await first.getByText(/^Connected · /).isVisible(), 'the first goes on');

  await first.getByRole('button', { name: 'Stop and save' }).click();
  await first.getByText('Saved.').waitFor();
  await second.getByRole('button', { name: 'Start recording' }).click();
  await second.getByText(/^Connected · /).waitFor();
  const address = (place: number) => new URL([...live.addresses, ...later.addresses][place]!).searchParams;
  t.not(address(0).get('stream_clock'), address(1).get('stream_clock'), 'each recording has its own clock');

  // When a recording tab is closed, other tabs may record.
  await second.close({ runBeforeUnload: false });
  await first.getByRole('button', { name: 'Start another recording' }).click();
  await first.getByText(/^Connected · /).waitFor();
});
