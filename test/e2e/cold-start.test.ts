/**
 * Streams that come while the engine is cold. An upgrade that answered from within a cork lost one of the first sixteen in two
 * starts out of five: compiling what had not run before allocates, and uWebSockets.js looked at memory it had given back.
 */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { WebSocket } from 'ws';
import { startEngine } from '../../bench/fleet/engine-target.js';

const starts = 5;
const streams = 16;
/** Opened one by one, as wearables come. */
const between = 10;
const query = 'codec=opus&sample_rate=16000';
const frame = Buffer.alloc(40, 1);

for (let start = 1; start <= starts; start++) {
  t.test(`none of the first streams is lost, start ${start} of ${starts}`, async (t) => {
    const engine = await startEngine();
    t.teardown(engine.stop);
    const closes: number[] = [];
    const refusals: number[] = [];
    const sockets: WebSocket[] = [];
    for (let stream = 0; stream < streams; stream++) {
      const socket = new WebSocket(`${engine.url}/v4/listen?${query}&uid=fleet-${stream}`);
      socket.on('error', () => undefined);
      socket.on('close', (code) => closes.push(code));
      socket.on('unexpected-response', (_, { statusCode }) => refusals.push(statusCode ?? 0));
      sockets.push(socket);
      await pause(between);
    }
    const sending = setInterval(() => {
      for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    }, 20);
    await pause(1000);
    clearInterval(sending);
    t.same(closes, []);
    t.same(refusals, []);
    t.ok(sockets.every(({ readyState }) => readyState === WebSocket.OPEN));
    for (const socket of sockets) socket.close(1000);
  });
}
