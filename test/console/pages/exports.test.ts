/** Tests exports in Chromium: files that the page saves, subtitles that the browser reads, and failed exports. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { makeConversations } from '../../sidecar/console/export-support.js';
import { fromSegments, said, startApi } from '../../sidecar/support.js';
import { browserMissing as skip } from '../../support/browser.js';
import { hostileTexts } from '../../support/texts/hostile-texts.js';
import { enterConsole, findingsOf, openBrowser } from './console-browser.js';

/** Clicks a button and returns the name and the text of the file that the browser saves. */
const saved = async (page: Page, button: string): Promise<{ name: string; text: string }> => {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
};

/** Opens the menu of a conversation and chooses a format. */
const choose = async (page: Page, format: string): Promise<{ name: string; text: string }> => {
  await page.getByText('Export', { exact: true }).click();
  return saved(page, format);
};

/** Reads subtitles with the browser's own reader. */
const readCues = `async (text) => {
  const video = document.createElement('video');
  const track = document.createElement('track');
  track.src = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }));
  track.default = true;
  const loaded = new Promise((resolve, reject) => {
    track.onload = resolve;
    track.onerror = () => reject(new Error('the track cannot be read'));
  });
  video.append(track);
  document.body.append(video);
  track.track.mode = 'hidden';
  await loaded;
  const cues = [...track.track.cues].map((cue) => {
    const shown = cue.getCueAsHTML();
    return {
      start: cue.startTime,
      end: cue.endTime,
      text: shown.textContent,
      voices: [...shown.querySelectorAll('span')].map((span) => span.title),
      others: shown.querySelectorAll(':not(span)').length,
    };
  });
  video.remove();
  return cues;
}`;

interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly voices: readonly string[];
  readonly others: number;
}

const shown = (text: string): string => text.replace(/[\s\u0085]+/g, '').replace(/\p{Cc}/gu, '\ufffd');

t.test('exports of the pages', { skip, timeout: 180_000 }, async (t) => {
  const port = String(await freePort());
  const api = await startApi(t, { SIDECAR_PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const { uid, key } = await api.person();
  const segments = hostileTexts.map((text, at) =>
    said(text, at * 3, at * 3 + 2, { speaker: text.slice(0, 90) }),
  );
  const made = await api.call(fromSegments, { credential: key, body: { transcript_segments: segments } });
  const { id } = made.body as { id: string };
  const browser = await openBrowser(t);
  const page = await browser.newPage();
  const { problems, foreign } = await enterConsole(
    api.base,
    (await createConsoleLink(api.sql, uid)).secret,
    page,
  );

  await t.test('a conversation is saved in every format', async (t) => {
    await page.goto(`${api.base}/console/conversations/${id}`);
    await page.locator('.words li').first().waitFor();
    await page.getByText('Export', { exact: true }).click();
    t.same(await findingsOf(page), []);
    await page.getByText('Export', { exact: true }).click();
    for (const [button, ending, begin] of [
      ['Text', 'txt', /^./],
      ['Markdown', 'md', /^# /],
      ['Subtitles (SRT)', 'srt', /^1\n00:00:00,000 --> /],
      ['JSON', 'json', /^\{/],
    ] as const) {
      const { name, text } = await choose(page, button);
      t.ok(name.endsWith(`.${ending}`), name);
      t.match(text, begin);
    }
  });

  await t.test('the browser reads WebVTT as it was stored', async () => {
    const { text } = await choose(page, 'Subtitles (WebVTT)');
    const blank = await browser.newPage();
    const cues = (await blank.evaluate(`(${readCues})(${JSON.stringify(text)})`)) as Cue[];
    const all = cues.map((cue) => shown(cue.text)).join('');
    assert.equal(all, hostileTexts.map(shown).join(''));
    assert.ok(cues.every(({ voices, others }) => voices.length === 1 && others === 0));
    const starts = new Set(cues.map(({ start }) => start));
    assert.ok(hostileTexts.every((_, at) => starts.has(at * 3)));
    await blank.close();
  });

  await t.test('a failed export says why, and can be repeated', async (t) => {
    await page.route('**/export?**', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '2' },
        json: { detail: 'The database is away' },
      }),
    );
    await page.getByText('Export', { exact: true }).click();
    await page.getByRole('button', { name: 'JSON' }).click();
    await page.getByText('The database is away. Try again in 2 s.').waitFor();
    t.same(await findingsOf(page), []);
    await page.unroute('**/export?**');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Try again' }).click();
    await download;
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  await t.test('everything is saved in one file, also if the connection is lost', async (t) => {
    await makeConversations(api.sql, uid, 300);
    await page.goto(`${api.base}/console/conversations`);
    await page.getByRole('heading', { name: 'Export everything' }).waitFor();
    t.same(await findingsOf(page), []);
    let requests = 0;
    await page.route('**/console/api/export**', (route) =>
      requests++ === 0 ? route.abort() : route.continue(),
    );
    const { name, text } = await saved(page, 'Export everything');
    t.match(name, /^cochlea \d{4}-\d\d-\d\d\.jsonl$/);
    const lines = text.split('\n').filter((line) => line !== '');
    t.equal(lines.filter((line) => line.startsWith('{"type":"conversation"')).length, 301);
    t.match(lines.at(-1), /^\{"type":"end"/);
    t.equal(requests, 2);
    await page.getByText(`Saved as ${name}`).waitFor();
  });

  await t.test('an export of everything can be cancelled', async (t) => {
    await page.unroute('**/console/api/export**');
    await page.route('**/console/api/export**', (route) => route.abort());
    await page.getByRole('button', { name: 'Export everything' }).click();
    await page.getByRole('button', { name: 'Cancel the export' }).click();
    t.ok(await page.getByRole('button', { name: 'Export everything' }).isVisible());
  });

  t.same(
    problems.filter((text) => !/Failed to load resource/.test(text)),
    [],
  );
  t.same(foreign, []);
});
