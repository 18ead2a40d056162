/**
 * Measures the listener in this process. A second process sends frames. A thread that only reads the ring replaces the
 * shard. V8's young generation is so large that no collection runs during the measurement. So the growth of the heap is
 * the allocated memory.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import { loadFrameCopier } from '../../../src/audio/frame-copier.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { startFront } from '../../../src/front/front.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { createRing } from '../../../src/ring/ring.js';
import { processCpu } from '../clock.js';

/** Cost of a frame in the listener and in the thread that reads its ring. */
export interface FrontCost {
  readonly cpu: number;
  readonly heap: number;
  readonly dropped: number;
}

const sockets = 20;
const frames = 10_000;
const bytes = 80;

const ring = createRing(33_554_432);
const { port1, port2 } = new MessageChannel();
const worker = new Worker(new URL('./reader.js', import.meta.url), {
  workerData: { ring, port: port2 },
  transferList: [port2],
});
const dead = once(worker, 'exit').then(() => undefined);
const metrics = new MetricsTable(1).row(0);
const front = await startFront({
  settings: {
    ...loadSettings({ AUTH_MODE: 'uid', COCHLEA_LISTENER: process.env.COCHLEA_LISTENER ?? 'auto' }).values,
    port: 0,
    maxStreamsPerUser: 100,
    maxOpensPerUser: 10_000,
  },
  shards: [{ ring, port: port1, dead, giveUp: () => undefined }],
  slotsPerShard: sockets,
  verifier: {
    verify: async (uid) => ({ uid, issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY }),
    standing: async () => 'good',
    admit: async () => false,
    floors: async () => new Map(),
    forget: () => undefined,
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
  new URL('./client.js', import.meta.url),
  [`127.0.0.1:${front.port}`, String(sockets), String(frames), String(bytes)],
  { execArgv: [] },
);
await once(client, 'message');

const run = async (): Promise<FrontCost> => {
  const before = metrics.get('frames_received_total');
  const total = sockets * frames;
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const cpu = processCpu();
  client.send('go');
  while (metrics.get('frames_received_total') < before + total) await delay(20);
  return {
    cpu: (processCpu() - cpu) / total,
    heap: (process.memoryUsage().heapUsed - heap) / total,
    dropped: metrics.get('ring_frames_dropped_total'),
  };
};

process.on('message', async () => {
  process.send!(await run());
});
process.once('disconnect', async () => {
  client.disconnect();
  // At the drain record, the reader ends without sending `drained`. `front.drain` treats the end of the reader like
  // this message.
  await front.drain();
  await front.close();
});
process.send!('ready');
