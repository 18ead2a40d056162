/**
 * Tests the live page in Chromium against a fake engine whose messages the test chooses: names, outages, the end, tabs,
 * many segments.
 */
import { readFile } from 'node:fs/promises';
import type { CDPSession } from 'playwright-core';
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { emptySegment } from '../../../src/wire/segment.js';
import { startApi } from '../../sidecar/support.js';
import { browserMissing as skip } from '../../support/browser.js';
import { until } from '../../support/until.js';
import { enterConsole, findingsOf, openBrowser } from './console-browser.js';
import { conversation, fakeLive } from './fake-live.js';

const payload = '<img src=x onerror="document.title=1">';
const person = '9d8c7b6a-1c6e-4c8e-9d0f-5a1e2b3c4d5e';

const segment = (place: number, text: string, speaker = 0, more: object = {}) => ({
  ...emptySegment,
  id: `segment-${place}`,
  text,
  speaker_id: speaker,
  start: place * 3,
  end: place * 3 + 2,
  ...more,
});

const openPage = async (t: Test) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid } = await api.person();
  const browser = await openBrowser(t);
  const page = await browser.newPage();
  await page.clock.install();
  const live = await fakeLive(page);
  const { problems } = await enterConsole(api.base, (await createConsoleLink(api.sql, uid)).secret, page);
  const record = async (): Promise<void> => {
    await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
    await page.getByRole('button', { name: /^Start / }).click();
    await page.getByText(/^Connected · /).waitFor();
  };
  return { api, page, live, problems, record };
};

t.test('speakers, outages and the end of a recording', { skip, timeout: 240_000 }, async (t) => {
  const { page, live, problems, record } = await openPage(t);
  await record();

  await t.test('speakers have shares, and guesses can be accepted or denied', async (t) => {
    live.send([segment(0, 'I will ask them.'), segment(1, payload, 1), segment(2, 'Good.', 1)]);
    await page.locator('.speakers li').nth(1).getByText('67 %').waitFor();
    const guess = { type: 'speaker_label_suggestion', segment_id: 'segment-1', person_id: person };
    live.send({ ...guess, speaker_id: 1, person_name: payload });
    live.send({ ...guess, speaker_id: 0, person_name: 'Bob' });
    await page.getByText(`Sounds like ${payload}?`).waitFor();
    t.same(await findingsOf(page), []);
    const bob = page.locator('.speakers li').first();
    await bob.getByRole('button', { name: 'No' }).click();
    await bob.getByText('Sounds like Bob?').waitFor({ state: 'detached' });
    await page.locator('.speakers li').nth(1).getByRole('button', { name: 'Yes' }).click();
    const assigned = await until(() => live.texts.find(({ type }) => type === 'speaker_assigned'));
    t.match(assigned, { speaker_id: 1, person_id: person, person_name: payload });
  });

  await t.test('each finished segment is announced once', async (t) => {
    const log = page.getByRole('log').locator('p');
    await until(async () => (await log.count()) === 2, 'the last one is not finished');
    live.send([segment(2, 'Good. And then', 1)]);
    live.send([segment(2, 'Good. And then we go.', 1), segment(3, 'Yes.')]);
    live.send([segment(0, 'I will ask them.', 0, { is_user: true })]);
    await until(async () => (await log.count()) === 3, 'the next one');
    t.same(await log.allInnerTexts(), [
      'Speaker 0: I will ask them.',
      `Speaker 1: ${payload}`,
      'Speaker 1: Good. And then we go.',
    ]);
  });

  await t.test('a lost connection is told, and recording goes on across pages', async (t) => {
    live.reachable = false;
    await live.cut();
    await page.getByText(/^Connection lost \d+ s ago\. Recording goes on; \d+ s kept\./).waitFor();
    t.same(await findingsOf(page), []);
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
    await page.clock.runFor(3000);
    await page.getByRole('link', { name: /Live.*recording/ }).click();
    await page.getByText(/Recording goes on; \d+ s kept\./).waitFor();
    t.equal(await page.locator('.words li').count(), 4, 'the words are still there');
    live.reachable = true;
    await page.clock.fastForward(40_000);
    await page.getByText(/^Connected · /).waitFor();
    t.match(live.addresses.at(-1), new RegExp(`client_conversation_id=${conversation}`));
  });

  await t.test('a muted microphone sends no audio, but keeps the stream open', async (t) => {
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByText('Connected, muted').waitFor();
    const before = live.sizes.length;
    await page.clock.fastForward(11_000);
    await until(() => live.sizes.length > before, 'a keep-alive');
    t.ok(live.sizes.slice(before).every((size) => size === 1));
    await page.getByRole('button', { name: 'Unmute' }).click();
  });

  await t.test('a stop without a connection keeps the audio, which can be saved or sent later', async (t) => {
    live.reachable = false;
    await live.cut();
    await page.getByText(/Recording goes on; [1-9]\d* s kept\./).waitFor();
    await page.getByRole('button', { name: 'Stop and save' }).click();
    await page.getByText('Saving the last words.').waitFor();
    for (let step = 0; step < 8; step++) await page.clock.runFor(10_000);
    const alert = page.getByRole('alert').filter({ hasText: 'This page keeps them.' });
    await alert.waitFor();
    t.ok(await page.getByRole('button', { name: 'Start another recording' }).isDisabled());
    t.same(await findingsOf(page), []);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    t.equal(download.suggestedFilename(), 'recording.wav');
    const file = await readFile((await download.path())!);
    t.equal(file.toString('latin1', 0, 4), 'RIFF');
    t.ok(file.length > 32_000, `${file.length} bytes`);
    live.reachable = true;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Saved.').waitFor();
    const link = page.getByRole('link', { name: 'Open the conversation' });
    t.equal(await link.getAttribute('href'), `/console/conversations/${conversation}`);
    t.equal(live.texts.at(-1)!.type, 'stop');
    t.equal(await page.getByRole('log').locator('p').count(), 4, 'the last segment is finished, too');
    t.same(await findingsOf(page), []);
  });

  t.same(
    problems.filter((text) => !text.includes('WebSocket')),
    [],
    'no error and no report of the policy',
  );
});

t.test('the sound of a tab is the second channel', { skip, timeout: 60_000 }, async (t) => {
  const { page, live } = await openPage(t);
  await page.evaluate(`navigator.mediaDevices.getDisplayMedia = async () => {
    const context = new AudioContext();
    const sound = context.createMediaStreamDestination();
    const tone = context.createOscillator();
    tone.connect(sound);
    tone.start();
    window.tab = sound.stream.getAudioTracks()[0];
    return sound.stream;
  }`);
  await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
  await page.getByLabel('Also the sound of a tab').check();
  await page.getByRole('button', { name: 'Start recording' }).click();
  await page.getByText(/^Connected · /).waitFor();
  const query = new URL(live.addresses[0]!).searchParams;
  t.same(
    ['channels', 'stereo', 'source', 'confirm'].map((name) => query.get(name)),
    ['2', 'separate', 'svc', '1'],
  );
  await until(() => live.sizes.length > 50, 'audio arrives');
  t.ok(
    live.sizes.every((size) => size === 1280),
    'frames of two channels',
  );
  await page.evaluate(`window.tab.dispatchEvent(new Event('ended'))`);
  await page.getByText('The sound of the tab has ended.').waitFor();
  t.same(await findingsOf(page), []);
  live.send([segment(0, 'Hello.')]);
  await page.getByText('Hello.').first().waitFor();
  await page.getByRole('button', { name: 'Stop and save' }).click();
  await page.getByRole('link', { name: 'Open the conversation' }).waitFor();
});

t.test('who shares no sound of a tab is told what to do', { skip, timeout: 60_000 }, async (t) => {
  const { page, live } = await openPage(t);
  await page.evaluate(`navigator.mediaDevices.getDisplayMedia = async () => new MediaStream()`);
  await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
  await page.getByLabel('Also the sound of a tab').check();
  await page.getByRole('button', { name: 'Start recording' }).click();
  await page.getByRole('alert').getByText('No sound of a tab was shared.').waitFor();
  t.same(live.addresses, []);
  t.ok(await page.getByRole('button', { name: 'Start recording' }).isEnabled());
});

/** Returns how many seconds the page has executed scripts so far. */
const scripting = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration')!.value;
};

t.test(
  'an update of 5,000 segments costs little more than one of 50',
  { skip, timeout: 180_000 },
  async (t) => {
    const { page, live, record } = await openPage(t);
    await record();
    const session = await page.context().newCDPSession(page);
    // Measures CPU time, so that other work of the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const updates = 60;
    let next = 0;
    const add = async (count: number): Promise<void> => {
      const added = Array.from({ length: count - next }, (_, place) => next + place);
      live.send(added.map((place) => segment(place, `Sentence ${place} of a long day.`, place % 3)));
      next = count;
      await page
        .getByText(`Sentence ${count - 1} of`)
        .first()
        .waitFor({ timeout: 60_000 });
    };
    /** Returns the ms for which the page executes scripts for one update of the last segment. */
    const measure = async (): Promise<number> => {
      const last = next - 1;
      const before = await scripting(session);
      for (let update = 0; update < updates; update++) {
        live.send([segment(last, `Sentence ${last} grows to ${next} ${update}.`, last % 3)]);
        // Waits for a frame, so that the page handles each update in its own task, as in a recording.
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
      await page
        .getByText(`grows to ${next} ${updates - 1}.`)
        .first()
        .waitFor();
      return ((await scripting(session)) - before) * (1000 / updates);
    };
    await add(50);
    /** Returns the least of three measurements, so that a collection of garbage does not count. */
    const least = async (): Promise<number> => Math.min(await measure(), await measure(), await measure());
    const few = await least();
    await add(5000);
    const many = await least();
    t.comment(
      `scripting of an update: ${few.toFixed(2)} ms with 50 segments, ${many.toFixed(2)} ms with 5,000`,
    );
    t.ok(many <= 2 * few, 'at most twice');
  },
);
