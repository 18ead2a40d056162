/**
 * Tests several streams that arrive at the same time while the engine is cold. Regression: an upgrade inside its own
 * response's cork lost one of the first twelve in eight of ten starts. It crashed the engine, because uWebSockets.js
 * read freed memory.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { WebSocket } from 'ws';
import { startEngine } from '../../bench/fleet/targets/engine-target.js';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { preparedFolder } from '../support/database/prepared-database.js';
import { metric, serviceOnTestDatabase } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const starts = 2;
/** A busy machine starts slowly. This setting prevents refused streams, because the test checks that no stream is lost. */
const unhurried = { LAG_BUDGET: '60000' };
const frames = encodeFrames(await scene([1], 100), 'opus', 16_000).slice(0, 30);

for (let start = 1; start <= starts; start++) {
  t.test(`wearables connect four at a time, start ${start} of ${starts}`, async (t) => {
    const service = await serviceOnTestDatabase(t, {
      MAX_OPENS_PER_USER: '100',
      COCHLEA_STT: 'discard',
      ...unhurried,
    });
    const user = await service.user('ada');
    const [engine] = service.processes('cochlea.js engine');
    for (let turn = 0; turn < 10; turn++) {
      const wearables = await Promise.all(Array.from({ length: 4 }, () => service.wearable(user)));
      for (const wearable of wearables) {
        for (const { bytes } of frames) wearable.sendBinary(bytes);
      }
      t.ok(
        wearables.every(({ isClosed }) => !isClosed),
        'all are open',
      );
      await Promise.all(wearables.map((wearable) => wearable.close()));
    }
    t.same(service.processes('cochlea.js engine'), [engine], 'the engine is the one that started');
    t.notMatch(readFileSync(service.logFile, 'utf8'), /Warning|Error/, 'nothing is complained of');
  });

  t.test(`streams connect one after the other and stay, start ${start} of ${starts}`, async (t) => {
    const engine = await startEngine({ env: { COCHLEA_DATA_DIR: await preparedFolder(t), ...unhurried } });
    t.teardown(engine.stop);
    const closes: number[] = [];
    const refusals: number[] = [];
    const sockets: WebSocket[] = [];
    for (let stream = 0; stream < 16; stream++) {
      const socket = new WebSocket(
        `${engine.url}/v4/listen?codec=opus&sample_rate=16000&uid=fleet-${stream}`,
      );
      socket.on('error', () => undefined);
      socket.on('close', (code) => closes.push(code));
      socket.on('unexpected-response', (_, { statusCode }) => refusals.push(statusCode ?? 0));
      sockets.push(socket);
      // Opens the streams one after the other without waiting for each. At this pace streams were lost.
      await pause(10);
    }
    const frame = Buffer.alloc(40, 1);
    const sending = setInterval(() => {
      for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    }, 20);
    const received = () => metric({ metrics: engine.metricsUrl! }, 'frames_received_total');
    await until(async () => (await received()) >= 50 * sockets.length, 'a second of every stream arrives');
    clearInterval(sending);
    t.same(closes, []);
    t.same(refusals, []);
    t.ok(sockets.every(({ readyState }) => readyState === WebSocket.OPEN));
    for (const socket of sockets) socket.close(1000);
  });
}
