/** Tests the page of a report in a real browser. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import t, { type Test } from 'tap';
import type { Report, Series } from '../../../bench/report/envelope.js';
import { describePlot, plotsOf } from '../../../bench/report/plots.js';
import { writeReport } from '../../../bench/report/write.js';
import { browserProgram as program, browserMissing as skip } from '../../support/browser.js';
import { costRow, reportOf } from './report-samples.js';

const overTime = (name: string, height: number): Series => ({
  suite: 'fleet',
  contender: 'cochlea',
  name,
  unit: 'ms',
  x: 'time_s',
  points: Array.from({ length: 60 }, (_, second) => [second, height + (second % 7)]),
});
const capacity: Series = {
  suite: 'fleet',
  contender: 'cochlea',
  name: 'p99_frame_to_vad_ms',
  unit: 'ms',
  x: 'streams',
  points: [
    [100, 9],
    [400, 20],
    [800, 3000],
  ],
  level: 100,
};
const cost = [50, 100, 200].flatMap((streams) => [
  costRow('cochlea', streams, { cpu_ms_per_stream_s: 1.7 + streams / 1000, p99_frame_to_vad_ms: 12 }),
  costRow('node', streams, { cpu_ms_per_stream_s: 14 - streams / 100 }),
]);

t.test('a report has plots for exactly the data that can be drawn', async (t) => {
  const titles = (report: Report): string[] => plotsOf(report).map(({ title }) => title);
  const cases: readonly [name: string, report: Report, expected: string[]][] = [
    ['nothing', reportOf([]), []],
    ['rows of one number of streams', reportOf(cost.slice(0, 2)), []],
    ['a single point of time', reportOf([], { series: [{ ...capacity, points: [[1, 2]] }] }), []],
    [
      'rows of several numbers of streams',
      reportOf(cost),
      [
        'cost, opus, speech: CPU a stream-second by streams',
        'cost, opus, speech: Frame to VAD, p99 by streams',
      ],
    ],
    ['a capacity curve', reportOf([], { series: [capacity] }), ['fleet: Frame to VAD, p99 by streams']],
    [
      'two values of a time',
      reportOf([], { series: [overTime('p50_frame_to_vad_ms', 5), overTime('p99_frame_to_vad_ms', 20)] }),
      ['fleet, cochlea: Frame to VAD over time'],
    ],
    [
      'two things of a time',
      reportOf([], { series: [overTime('p50_frame_to_vad_ms', 5), overTime('cpu_ms_per_stream_s', 2)] }),
      ['fleet, cochlea: Frame to VAD over time', 'fleet, cochlea: CPU a stream-second over time'],
    ],
    [
      'a name that is no field',
      reportOf([], { series: [overTime('open sockets', 5)] }),
      ['fleet, cochlea: open sockets over time'],
    ],
  ];
  for (const [name, report, expected] of cases) t.same(titles(report), expected, name);
});

t.test('lines of a plot share their x values, and axes fit the values', async (t) => {
  const uneven = reportOf([
    ...cost,
    costRow('python', 70, { cpu_ms_per_stream_s: 18 }),
    costRow('python', 200, { cpu_ms_per_stream_s: 19 }),
  ]);
  const [cpu] = plotsOf(uneven);
  t.match(cpu, {
    xTitle: 'Streams',
    yTitle: 'CPU a stream-second, ms',
    x: [50, 70, 100, 200],
    lines: [
      { label: 'cochlea', y: [1.75, null, 1.8, 1.9] },
      { label: 'node', y: [13.5, null, 13, 12] },
      { label: 'python', y: [null, 18, null, 19] },
    ],
    log: false,
  });
  const [curve] = plotsOf(reportOf([], { series: [capacity] }));
  t.match(curve, { level: 100, log: true }, 'from 9 to 3000 ms');
  t.equal(
    describePlot(curve!),
    'Frame to VAD, p99, ms over Streams 100 to 800. cochlea: 9 to 3000. Service level: 100.',
  );
});

/** Opens the page of a report and collects its errors and requests. */
const openPage = async (
  t: Test,
  browser: Browser,
  report: Report,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<{ page: Page; complaints: string[]; requests: string[] }> => {
  const html = join(t.testdir(), 'report.html');
  writeReport(report, { html });
  const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 800 } });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => requests.push(request.url()));
  const url = pathToFileURL(html).href;
  await page.goto(url, { waitUntil: 'load' });
  return { page, complaints, requests: requests.filter((request) => request !== url) };
};

/** Counts the colours on each canvas, without transparent pixels. */
const coloursDrawn = (page: Page): Promise<number[]> =>
  page.evaluate(`[...document.querySelectorAll('[data-plot] canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] === 255) found.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    return found.size;
  })`);

const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();

t.test('the page of a report works in a browser', { skip }, async (t) => {
  const browser = await chromium.launch({ executablePath: program!, chromiumSandbox: false });
  t.teardown(() => browser.close());

  await t.test(
    'every plot is drawn, the tables are right, and nothing is loaded from a server',
    async (t) => {
      const report = reportOf(cost, {
        series: [overTime('p50_frame_to_vad_ms', 5), overTime('p99_frame_to_vad_ms', 20), capacity],
        settings: { stt: 'discard' },
        skipped: [{ suite: 'cost', what: 'python', why: 'there is no Python' }],
      });
      for (const scheme of ['light', 'dark'] as const) {
        const { page, complaints, requests } = await openPage(t, browser, report, scheme);
        const drawn = await coloursDrawn(page);
        t.equal(drawn.length, 4, 'CPU and latency by streams, the capacity curve, latency over time');
        for (const colours of drawn) t.ok(colours >= 3, `text, grid and lines: ${colours} colours`);
        t.same(complaints, [], `${scheme}: no word on the console`);
        t.same(requests, [], `${scheme}: no request`);
        t.same(await texts(page, 'thead th[scope=col]'), [
          'Contender',
          'Codec',
          'Material',
          'Streams',
          'CPU a stream-second, ms',
          'Frame to VAD, p99, ms',
        ]);
        t.same(await texts(page, 'section tbody tr:first-child > *'), [
          'cochlea',
          'opus',
          'speech',
          '50',
          '1.75',
          '12',
        ]);
        t.equal(await page.locator('section tbody tr').count(), cost.length);
        t.equal(await page.title(), `Bench report of ${'c'.repeat(12)}`);
        t.ok((await texts(page, 'dt')).includes('stt'));
        t.ok((await texts(page, 'li')).includes('cost, python: there is no Python'));
        t.equal(await page.locator('canvas[role=img][aria-label*="Service level: 100"]').count(), 1);
        await page.close();
      }
    },
  );

  await t.test('plots follow the width of the window and the colours of the system', async (t) => {
    const { page, complaints } = await openPage(t, browser, reportOf([], { series: [capacity] }));
    const before = Number(await page.evaluate(`document.querySelector('canvas').clientWidth`));
    t.ok(before > 400, `${before} px`);
    await page.setViewportSize({ width: 420, height: 800 });
    await page.evaluate(`new Promise((done) => {
      const look = () =>
        document.querySelector('canvas').clientWidth < ${before} ? done() : requestAnimationFrame(look);
      look();
    })`);
    await page.emulateMedia({ colorScheme: 'dark' });
    t.ok((await coloursDrawn(page)).every((colours) => colours >= 3));
    t.equal(await page.locator('canvas').count(), 1, 'drawn anew, not twice');
    t.same(complaints, []);
    await page.close();
  });

  await t.test('hostile names run no script', async (t) => {
    const hostile = [
      '</script><script>alert(1)</script>',
      '"><img src=x onerror=alert(2)>',
      "' onmouseover='alert(3)",
      '<!--<script>',
      '&lt;b&gt; \u2028 \u2029 `alert(4)`',
    ];
    const rows = hostile.flatMap((name) =>
      [1, 2].map((streams) => ({ ...costRow(name, streams, { cpu_ms_per_stream_s: 2 }), material: name })),
    );
    const report = reportOf(rows, {
      commit: hostile[0]!,
      command: hostile[1]!,
      settings: { [hostile[1]!]: hostile[2]! },
      skipped: hostile.map((name) => ({ suite: name, what: name, why: name })),
      series: hostile.map((name) => ({ ...capacity, suite: name, contender: name, name, label: name })),
    });
    const { page, complaints, requests } = await openPage(t, browser, report);
    t.same(complaints, []);
    t.same(requests, []);
    t.equal(await page.locator('script').count(), 3, 'the data and two scripts');
    t.equal(await page.locator('img').count(), 0);
    const shown = (text: string): string => text.replace(/\s+/g, ' ').trim();
    t.same(
      [...new Set((await texts(page, 'tbody th[scope=row]')).map(shown))],
      hostile.map(shown),
      'they are shown as they are',
    );
    const drawn = await coloursDrawn(page);
    t.equal(drawn.length, 2 * hostile.length);
    t.ok(drawn.every((colours) => colours >= 3));
    await page.close();
  });

  await t.test('the content policy of the page allows only its own scripts', async (t) => {
    const { page, complaints } = await openPage(t, browser, reportOf(cost));
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
    }`);
    t.equal(await page.evaluate('window.injected'), undefined);
    t.match(complaints.join('\n'), /Content Security Policy/);
    await page.close();
  });
});
