/**
 * The live page records in Chromium while the engine and the sidecar are killed, the network is cut and tokens are
 * renewed. The result is one conversation, which has all words that an undisturbed client gets. The long form:
 * `CONSOLE_SPEECH=300 CONSOLE_KILLS=3 CONSOLE_CUT=60` (seconds of speech, kills of the engine, seconds of the cut).
 */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { untilLastWords } from '../../../bench/words/last-words.js';
import { readingOf } from '../../../bench/words/material.js';
import { matched } from '../../../bench/words/shown-words.js';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { normaliseWords, wordError } from '../../../src/app/sample/word-error.js';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { realClock } from '../../../src/app/wearable/pace.js';
import { joinSamples } from '../../../src/common/index.js';
import { createConsoleLink } from '../../../src/identity/console-sessions.js';
import { startProxy } from '../../journal/proxy.js';
import { browserMissing as skip } from '../../support/browser.js';
import { type Service, startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { enterConsole, openBrowser } from './console-browser.js';

const seconds = Number(process.env.CONSOLE_SPEECH ?? 40);
const kills = Number(process.env.CONSOLE_KILLS ?? 1);
const cut = Number(process.env.CONSOLE_CUT ?? 5);
/** Lifetime of a token in seconds. The page renews it after 70 %. */
const tokenLife = 10;
/**
 * Number of words that may be missing. After a cut, the recogniser may miss a single word. A lost part of an utterance
 * has more words.
 */
const tolerated = Number(process.env.CONSOLE_TOLERATED ?? 2);

/**
 * Returns the spoken words that are missing in the text, and the words of the text that were not spoken. A
 * misrecognised word counts as neither.
 */
const differences = (spoken: readonly string[], text: string) => {
  const words = normaliseWords(text);
  const missing: string[] = [];
  const more: string[] = [];
  let [spokenAt, at] = [0, 0];
  for (const [place, other] of [...matched(spoken, words), [spoken.length, words.length] as const]) {
    const both = Math.min(place - spokenAt, other - at);
    missing.push(...spoken.slice(spokenAt + both, place));
    more.push(...words.slice(at + both, other));
    [spokenAt, at] = [place + 1, other + 1];
  }
  return { missing, more };
};

/**
 * Runs in the page. Changes the service's answers, so that the page renews tokens as if they lived for `tokenLife` s.
 */
const shortTokens = `(() => {
  const { fetch } = window;
  window.fetch = async (...request) => {
    const answer = await fetch(...request);
    if (!answer.ok || !String(request[0]?.url ?? request[0]).endsWith('/stream-token')) return answer;
    return Response.json({ ...(await answer.json()), expires_in: ${tokenLife} }, { headers: answer.headers });
  };
})()`;

const killOne = async (service: Service, command: string): Promise<void> => {
  const pid = await until(() => service.processes(command)[0], `${command} runs`, 60_000);
  process.kill(pid, 'SIGKILL');
};

t.test('a page loses no word to faults', { skip, timeout: 400_000 + seconds * 4000 }, async (t) => {
  const port = await freePort();
  const network = await startProxy(`http://127.0.0.1:${port}`);
  t.teardown(() => network.close());
  const address = network.url.replace(/\/$/, '');
  const service = await startService(t, { PORT: String(port), PUBLIC_URL: address });
  const { uid } = await service.user('page');
  const reading = await readingOf(seconds, 0, { least: 700, most: 1500 });
  const { rate } = reading;
  const spoken = reading.words.map(({ word }) => word);
  const silence = (ms: number): Int16Array => new Int16Array((ms * rate) / 1000);
  // The browser plays the file from the moment at which it opens the microphone.
  const lead = 6000;
  const pcm = joinSamples([silence(lead), reading.pcm, silence(2000)]);

  const client = await service.wearable(await service.user('undisturbed'), { codec: 'pcm16' });
  const clientBegan = await client.send(encodeFrames({ pcm, rate }, 'pcm16', rate));
  await untilLastWords(() => client.arrivals.at(-1)?.at ?? clientBegan);
  await client.close();
  const undisturbed = differences(spoken, client.transcript.text);

  const browser = await openBrowser(t, pcm);
  const page = await browser.newPage();
  let [tokens, sockets] = [0, 0];
  page.on('websocket', () => sockets++);
  page.on('response', (answer) => {
    if (answer.url().endsWith('/stream-token') && answer.ok()) tokens++;
  });
  await page.addInitScript(shortTokens);
  const { secret } = await withDatabase(service.settings, (sql) => createConsoleLink(sql, uid));
  await enterConsole(address, secret, page);
  await page.getByRole('navigation').getByRole('link', { name: 'Live' }).click();
  const faults: readonly (() => Promise<void>)[] = [
    ...Array.from({ length: kills }, () => () => killOne(service, 'cochlea.js engine')),
    async () => {
      network.mode = 'silent';
      await pause(cut * 1000);
      network.mode = 'refused';
      network.mode = 'open';
    },
    () => killOne(service, 'cochlea.js sidecar'),
  ];
  await page.getByRole('button', { name: 'Start recording' }).click();
  await page.getByText(/^Connected · /).waitFor({ timeout: 120_000 });
  const length = (pcm.length / rate) * 1000;
  const began = realClock.now();
  for (const [number, fault] of faults.entries()) {
    const due = began + lead + ((length - lead) * (number + 0.5)) / faults.length;
    await pause(Math.max(0, due - realClock.now()));
    const before = sockets;
    await fault();
    // The sidecar serves no stream, so its kill loses no connection.
    if (number < faults.length - 1) await until(() => sockets > before, 'a new connection', 240_000);
    await page.getByText(/^Connected · /).waitFor({ timeout: 240_000 });
  }
  await pause(Math.max(0, began + length - realClock.now()));
  await page.getByRole('button', { name: 'Stop and save' }).click();
  await page.getByRole('link', { name: 'Open the conversation' }).waitFor({ timeout: 180_000 });
  const link = await page.getByRole('link', { name: 'Open the conversation' }).getAttribute('href');
  const state = await page.locator('main').textContent();

  const readRows = () =>
    withDatabase(
      service.settings,
      (sql) => sql<{ conversation_id: string; text: string; start: number; end: number }[]>`
        select s.conversation_id, s.text, s.start_seconds as start, s.end_seconds as end from segments s join conversations c on c.id = s.conversation_id
        where c.uid = ${uid} and not s.deleted order by s.position, s.id`,
    );
  const most = undisturbed.missing.length + tolerated;
  let rows = await readRows();
  const read = () => differences(spoken, rows.map((row) => row.text).join(' '));
  // A busy engine has received all audio, but may still transcribe the last words. The page then says so.
  await until(
    async () => {
      rows = await readRows();
      return read().missing.length <= most;
    },
    'all words',
    120_000,
  ).catch((error: Error) => t.comment(error.message));
  const text = rows.map((row) => row.text).join(' ');
  const disturbed = read();
  const percent = (one: string): string => `${(wordError(spoken.join(' '), one).rate * 100).toFixed(2)} %`;
  t.comment(
    `${spoken.length} words, ${kills} kills of the engine, one of the sidecar, ${cut} s without network, ${sockets} connections, ` +
      `${tokens} tokens. Undisturbed: ${percent(client.transcript.text)} errors, ${undisturbed.missing.length} missing, ` +
      `${undisturbed.more.length} more. Disturbed: ${percent(text)}, ${disturbed.missing.length} missing ` +
      `(${disturbed.missing.join(' ')}), ${disturbed.more.length} more (${disturbed.more.join(' ')}). ` +
      `The page says: ${state?.match(/Saved\.[^.]*/)?.[0]}`,
  );
  t.ok(disturbed.missing.length <= most, 'no word is missing');
  t.ok(disturbed.more.length <= undisturbed.more.length + tolerated, 'no word is stored twice');
  const begins = rows.map(({ start }) => start);
  const inOrder = t.ok(
    begins.every((start, place) => start >= (begins[place - 1] ?? 0)),
    'the times have the order of the words',
  );
  if (!inOrder) for (const { start, end, text } of rows) t.comment(`${start} to ${end}: ${text}`);
  const conversations = [...new Set(rows.map((row) => row.conversation_id))];
  t.equal(conversations.length, 1, 'one conversation');
  t.equal(link, `/console/conversations/${conversations[0]}`);
  t.match(state, /Saved/);
  t.ok(sockets >= kills + 2, 'each fault led to a new connection');
  t.ok(tokens > sockets, 'tokens were renewed on open streams');
});
