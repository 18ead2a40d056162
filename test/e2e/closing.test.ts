/** Tests the closing order of docs/modules/closing.md, as a client and an operator see it. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { closingProcesses, engineParts } from '../../src/app/process/closing-steps.js';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { startNats } from '../support/servers/nats.js';
import { allProcesses, descendants, startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';

const alive = (pids: readonly number[]): number[] => {
  const now = new Set(allProcesses().map(({ pid }) => pid));
  return pids.filter((pid) => now.has(pid));
};

/** Returns the parts that a process logged as closed, in order. */
const closedParts = (log: string, process: string): string[] =>
  log
    .split('\n')
    .filter((line) => line.includes('"msg":"closed"') && line.includes(`"module":"${process}"`))
    .map((line) => String((JSON.parse(line) as { part: string }).part));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`${signal} in the middle of an utterance`, { timeout: 120_000 }, async (t) => {
    // A busy machine may need long for the last words.
    const service = await startService(t, {
      LOG_LEVEL: 'debug',
      DRAIN_TIMEOUT: '60000',
      INTERIM_WORDS: 'false',
      // Enables every part of the product, although there is nothing to translate.
      TRANSLATOR: 'libretranslate',
      LIBRETRANSLATE_URL: 'http://127.0.0.1:9',
      NATS_URL: withoutNats ? '' : (await startNats(t)).url,
    });
    const log = (): string => readFileSync(service.logFile, 'utf8');
    const user = await service.user('ada');
    const order: string[] = [];
    const wearable = await service.wearable(
      user,
      {},
      {
        segments: () => order.push('segments'),
        event: (event) => event.type === 'service_status' && order.push(`status ${String(event.status)}`),
      },
    );
    await wearable.waitFor((event) => event.status === 'ready', 60_000);
    const speech = await scene([0]);
    // The speech stops in the middle of a sentence, so that the engine must end the utterance.
    const frames = encodeFrames(speech, 'opus', 16_000);
    await wearable.send(frames.slice(0, Math.round(frames.length * 0.6)), 2);
    const family = descendants(service.pid).map(({ pid }) => pid);
    t.ok(family.length > 4, 'engine, sidecar, transcriber and database run');
    const [ended, closing] = await Promise.all([service.stop(signal), wearable.closed]);
    t.equal(closing.code, 1001);
    t.same(ended, { code: 0, signal: null }, 'the exit is clean');
    t.match(wearable.transcript.text, /dashwood/i, 'the words of the unfinished sentence arrived');
    t.same(order.slice(order.indexOf('status draining')).slice(0, 2), ['status draining', 'segments']);
    t.same(alive(family), [], 'no process is left');
    t.same(
      closedParts(log(), 'engine'),
      engineParts.filter((part) => part !== 'bus' || !withoutNats),
      'the parts of the engine closed in the order of the list',
    );
    t.same(closedParts(log(), 'supervisor'), closingProcesses, 'and so did the processes');
  });
}
