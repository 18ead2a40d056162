/**
 * The live page in Chromium and a client with a socket get the same speech at the same time. Compares word error, and the
 * delay from a spoken word to the word that stays. The long form, `CONSOLE_SPEECH=240` (seconds of speech), judges both
 * strictly. The short form has too few words for that, and only finds sound that is damaged.
 */
import t from 'tap';
import { lastWords, untilLastWords } from '../../../bench/words/last-words.js';
import { readingOf } from '../../../bench/words/material.js';
import { lagsOf } from '../../../bench/words/shown-words.js';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { normaliseWords, wordError } from '../../../src/app/sample/word-error.js';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { percentile } from '../../../src/app/wearable/lag.js';
import { realClock } from '../../../src/app/wearable/pace.js';
import { joinSamples } from '../../../src/common/index.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { browserMissing as skip } from '../../support/browser.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { enterConsole, openBrowser } from './console-browser.js';
import { type PageWords, watchedOn, watchPage } from './page-watch.js';

const seconds = Number(process.env.CONSOLE_SPEECH ?? 20);
/** Minimum number of seconds of speech for which errors and the delay are judged strictly. */
const judged = 120;
/**
 * Maximum share of words by which the page may have more errors than the socket. In the short form, 0.01 is less than
 * one word.
 */
const mostErrors = seconds >= judged ? 0.01 : 0.1;
const mostRatio = 1.2;

/** Ms since 1970 at the start of `realClock`. */
const epoch = Date.now() - realClock.now();

t.test(
  'a page shows words as well and as soon as a socket',
  { skip, timeout: 240_000 + seconds * 3000 },
  async (t) => {
    const service = await startService(t);
    const { uid } = await service.user('page');
    const reading = await readingOf(seconds, 0, { least: 700, most: 1500 });
    const { rate } = reading;
    // Loads the speech model before the measurement, because the first words wait for it.
    const first = await service.wearable(await service.user('first'), { codec: 'pcm16' });
    await first.send(encodeFrames(await readingOf(4, 0), 'pcm16', rate));
    await until(() => first.transcript.text !== '', 'the speech model is loaded', 120_000);
    await first.close();
    // The browser plays the file from the moment at which it opens the microphone.
    const lead = 6000;
    const silence = (ms: number): Int16Array => new Int16Array((ms * rate) / 1000);
    const pcm = joinSamples([silence(lead), reading.pcm, silence(2000)]);
    const spoken = reading.words.map((word) => ({ ...word, end: word.end + lead }));
    const text = spoken.map(({ word }) => word).join(' ');

    const browser = await openBrowser(t, pcm);
    const page = await browser.newPage();
    await watchPage(page);
    const { secret } = await withDatabase(service.settings, (sql) => createConsoleLink(sql, uid));
    await enterConsole(service.base, secret, page);
    await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();

    const onSocket: PageWords[] = [];
    const note = (): void => void onSocket.push({ at: realClock.now(), text: wearable.transcript.text });
    const wearable = await service.wearable(
      await service.user('socket'),
      { codec: 'pcm16' },
      {
        segments: note,
        event: ({ type }) => (type === 'segments_deleted' ? note() : undefined),
      },
    );
    await wearable.waitFor(({ type, status }) => type === 'service_status' && status === 'ready', lastWords);
    await page.getByRole('button', { name: 'Start recording' }).click();
    const socketBegan = await wearable.send(encodeFrames({ pcm, rate }, 'pcm16', rate));
    await untilLastWords(() => onSocket.at(-1)?.at ?? socketBegan);
    const { shown: onPage, began } = await watchedOn(page, pcm);
    await page.getByRole('button', { name: 'Stop and save' }).click();
    await page.getByRole('link', { name: 'Open the conversation' }).waitFor({ timeout: 60_000 });
    await wearable.close();

    const result = (shown: readonly PageWords[], start: number) => {
      const since = shown.map((one) => ({ at: one.at - start, words: normaliseWords(one.text) }));
      const { lags, textLags } = lagsOf(spoken, since);
      return { lags, textLags, error: wordError(text, shown.at(-1)?.text ?? '').rate };
    };
    const [ofPage, ofSocket] = [result(onPage, began), result(onSocket, socketBegan)];
    const ms = (list: readonly number[], share: number): string =>
      `${Math.round(percentile(list, share)!)} ms`;
    for (const [name, { lags, textLags, error }] of [
      ['page', ofPage],
      ['socket', ofSocket],
    ] as const)
      t.comment(
        `${name}: ${spoken.length} words, word error ${(error * 100).toFixed(2)} %, word lag p50 ${ms(lags, 50)}, ` +
          `p95 ${ms(lags, 95)}; final text p50 ${ms(textLags, 50)}, p95 ${ms(textLags, 95)}`,
      );
    const ratio = percentile(ofPage.lags, 95)! / percentile(ofSocket.lags, 95)!;
    const apart = began - epoch - socketBegan;
    t.comment(
      `p95 on the page / p95 on the socket: ${ratio.toFixed(2)}; the page began ${Math.round(apart)} ms later`,
    );
    t.ok(
      ofPage.error <= ofSocket.error + mostErrors,
      `at most ${mostErrors * 100} points more errors on the page`,
    );
    t.ok(ofPage.lags.length > 0.8 * spoken.length, 'the words of the page have times');
    if (seconds >= judged) t.ok(ratio <= mostRatio, `at most ${mostRatio} times the delay of the socket`);
  },
);
