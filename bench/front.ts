import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import { loadFrameCopier } from '../src/audio/index.js';
import { loadSettings } from '../src/config/index.js';
import { startFront } from '../src/front/index.js';
import { createLogger } from '../src/log/index.js';
import { MetricsTable } from '../src/metrics/index.js';
import { createRing } from '../src/ring/index.js';

/**
 * Heap and time the listener spends on a frame: sockets of another process send 80-byte frames, a worker that only
 * reads stands for the shard. The young generation is made large enough that nothing is collected while the heap is
 * read, so its growth is what was allocated.
 *
 * Run: node --expose-gc --min-semi-space-size=256 --max-semi-space-size=256 dist/bench/front.js
 */
const sockets = 20;
const frames = 10_000;
const bytes = 80;

const ring = createRing(33_554_432);
const { port1, port2 } = new MessageChannel();
const worker = new Worker(new URL('./ring-consumer.js', import.meta.url), {
  workerData: { ring, port: port2 },
  transferList: [port2],
});
const dead = once(worker, 'exit').then(() => undefined);
const metrics = new MetricsTable(1).row(0);
const front = await startFront({
  settings: { ...loadSettings({ AUTH_MODE: 'uid' }).values, port: 0, maxStreamsPerUser: 100 },
  shards: [{ ring, port: port1, dead }],
  slotsPerShard: sockets,
  verifier: {
    verify: async (uid) => ({ uid }),
    userExists: async () => true,
    close: async () => undefined,
  },
  metrics,
  lag: () => 0,
  sidecar: { host: '127.0.0.1', port: 1 },
  log: createLogger('bench', 'silent'),
  ready: () => true,
  copyFrame: loadFrameCopier(process.env.COCHLEA_CORE === 'portable' ? 'portable' : 'auto'),
});
const client = fork(
  new URL('./front-client.js', import.meta.url),
  [`127.0.0.1:${front.port}`, String(sockets), String(frames), String(bytes)],
  { execArgv: [] },
);
await once(client, 'message');

const run = async (): Promise<object> => {
  const before = metrics.get('frames_received_total');
  const total = sockets * frames;
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const { user: userBefore, system: systemBefore } = process.cpuUsage();
  client.send('go');
  while (metrics.get('frames_received_total') < before + total) await delay(20);
  const { user, system } = process.cpuUsage();
  return {
    frames: total,
    'heap bytes/frame': Math.round(((process.memoryUsage().heapUsed - heap) / total) * 10) / 10,
    'cpu us/frame (listener and reader)':
      Math.round(((user + system - userBefore - systemBefore) / total) * 100) / 100,
    dropped: metrics.get('ring_frames_dropped_total'),
  };
};
await run();
console.table([await run(), await run()]);
client.disconnect();
// The reader ends at the drain record without answering `drained`; its end counts.
await front.drain();
await front.close();
