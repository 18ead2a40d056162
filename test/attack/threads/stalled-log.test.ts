/** A log collector stalls: nothing reads the product's standard error while clients cause log lines. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { metric, serviceOnTestDatabase } from '../../support/service.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';

t.test('streams and requests continue while nothing reads the log', async (t) => {
  const service = await serviceOnTestDatabase(t, {
    LOG_LEVEL: 'debug',
    LOG_BUFFER: '1024',
    LOG_REPEATS: '0',
  });
  const [victim, attacker] = [await service.user('victim'), await service.user('attacker')];
  const engines = service.processes('engine --index');
  const wearable = await service.wearable(victim);
  await wearable.waitFor((event) => event.status === 'ready', 60_000);
  service.stallLog();

  const flood = await service.wearable(attacker);
  await flood.waitFor((event) => event.status === 'ready', 60_000);
  const chatter = JSON.stringify({ type: 'finalization_reason', reason: 'user_stop' });
  await until(
    async () => {
      // For each text, the thread of the shard logs a line.
      for (let message = 0; message < 100; message++) flood.sendText(chatter);
      // The pause keeps the texts within the stream's budget. Above it, the engine would close the stream.
      await pause(50);
      return (await metric(service, 'log_lines_dropped_total')) > 100;
    },
    'lines of a shard are dropped and counted',
    60_000,
  );
  const byShard = await metric(service, 'log_lines_dropped_total');
  for (let stream = 0; stream < 12; stream++) {
    // For each of these streams, the main thread logs a line. The thread buffers at most 1024 bytes of lines.
    const short = await service.wearable(attacker);
    await short.waitFor((event) => event.status === 'ready', 60_000);
    await short.close();
  }
  t.ok((await metric(service, 'log_lines_dropped_total')) > byShard, 'lines of the main thread are dropped');

  const { pcm, rate } = await scene([3]);
  await wearable.send(encodeFrames({ rate, pcm }, 'opus', 16_000), 2);
  await until(() => /amiable/i.test(wearable.transcript.text), 'the other stream is transcribed');
  t.equal((await fetch(`${service.base}/engine/health/ready`)).status, 200);
  t.notOk(wearable.isClosed);
  await flood.close();
  await wearable.close();

  service.resumeLog();
  await until(
    () => /"dropped":\d+.*log lines were dropped/.test(readFileSync(service.logFile, 'utf8')),
    'the log reports the number of dropped lines',
  );
  const lines = readFileSync(service.logFile, 'utf8').trim().split('\n');
  t.ok(
    lines.every((line) => line.startsWith('{') === false || JSON.parse(line)),
    'no line is truncated or mixed with another',
  );
  t.same(service.processes('engine --index'), engines, 'the engine did not restart');
});

t.test('the product closes in order while nothing reads the log', async (t) => {
  const service = await serviceOnTestDatabase(t, {
    COCHLEA_STT: 'discard',
    LOG_LEVEL: 'trace',
    LOG_BUFFER: '1024',
    LOG_REPEATS: '0',
  });
  service.stallLog();
  t.same(await service.stop(), { code: 0, signal: null });
});
