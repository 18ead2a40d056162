/**
 * A device deletes the audio that the engine confirms. The engine is killed again and again, in half of the cases
 * together with the device. Every spoken token is stored exactly once. `POSITION_KILLS` sets the number of kills,
 * `COCHLEA_TOKENS` the kind of the provider.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { speechBursts } from '../../../bench/oracle/speech-bursts.js';
import { markSpeech } from '../../../bench/oracle/token-code.js';
import { tokensIn } from '../../../bench/oracle/token-words.js';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { startService } from '../../support/service.js';
import { RecordingDevice } from '../../support/spoken-tokens/device.js';
import { until } from '../../support/until.js';

const kills = Number(process.env.POSITION_KILLS ?? 2);
const rate = 16_000;
const frameSamples = 320;
/** Ms of silence after each token. The silence always ends an utterance. */
const gap = 1600;
/** Least and greatest time in ms between two kills. */
const between = { least: 500, most: 2500 };

t.test('every token is stored exactly once', { timeout: 120_000 + kills * 60_000 }, async (t) => {
  const service = await startService(t, {
    COCHLEA_TEST_PROVIDERS: new URL('../../support/spoken-tokens/module.js', import.meta.url).pathname,
    STT_SERVICE_MODELS: 'provider_a',
  });
  const { uid, token } = await service.user('tokens');
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-device-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const bursts = await speechBursts();
  const spoken: number[] = [];
  let ending = false;
  let quiet = 0;
  const frames: Int16Array[] = [];
  const record = (): Int16Array | undefined => {
    const next = frames.shift();
    if (next !== undefined) return next;
    if (ending) return quiet++ < 200 ? new Int16Array(frameSamples) : undefined;
    const number = spoken.push(spoken.length);
    const piece = markSpeech(bursts[number % bursts.length]!, spoken.at(-1)!);
    const audio = new Int16Array(
      Math.ceil((piece.length + (gap * rate) / 1000) / frameSamples) * frameSamples,
    );
    audio.set(piece);
    for (let at = 0; at < audio.length; at += frameSamples)
      frames.push(audio.subarray(at, at + frameSamples));
    return frames.shift();
  };
  const url = new URL('/v4/listen', service.base.replace(/^http/, 'ws'));
  url.search = String(new URLSearchParams({ uid, codec: 'pcm16', sample_rate: String(rate) }));
  const start = (): RecordingDevice =>
    new RecordingDevice({ url: String(url), token, folder, clock: 'recorder-1', record });
  let device = start();
  t.teardown(() => device.kill());
  await until(() => device.confirmed > 0, 'audio is confirmed', 30_000);
  for (let kill = 0; kill < kills; kill++) {
    await pause(between.least + Math.random() * (between.most - between.least));
    const engine = await until(() => service.processes('cochlea.js engine')[0], 'the engine runs', 60_000);
    process.kill(engine, 'SIGKILL');
    if (kill % 2 === 1) {
      device.kill();
      await pause(100);
      device = start();
    }
    const before = device.confirmed;
    const began = performance.now();
    await until(() => device.confirmed > before, `audio is confirmed after kill ${kill}`, 60_000);
    t.comment(`kill ${kill}: confirmed again after ${Math.round(performance.now() - began)} ms`);
  }
  ending = true;
  await until(() => device.isDone, 'the end of the recording is confirmed', 60_000 + kills * 20_000);
  const rows = await withDatabase(
    service.settings,
    (sql) =>
      sql<{ text: string }[]>`
      select s.text from segments s join conversations c on c.id = s.conversation_id
      where c.uid = ${uid} and not s.deleted`,
  );
  const stored = rows.flatMap(({ text }) => tokensIn(text)).sort((a, b) => a - b);
  const lost = spoken.filter((number) => !stored.includes(number));
  const doubled = stored.filter((number, index) => stored[index - 1] === number);
  t.comment(`${kills} kills, ${spoken.length} tokens, ${lost.length} lost, ${doubled.length} stored twice`);
  t.same({ lost, doubled }, { lost: [], doubled: [] });
});
