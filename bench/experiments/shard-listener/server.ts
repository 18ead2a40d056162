/** Started with: node server.js THREADS PORT METRICS_PORT DATA_DIR; settings from the environment. */
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { loadSettings } from '../../../src/config/index.js';
import { createLogger } from '../../../src/log/index.js';
import { MetricsTable } from '../../../src/metrics/index.js';
import { startMetricsServer } from '../../../src/metrics/server.js';
import type { ThreadTask } from './thread.js';

const [threads, port, metricsPort] = process.argv.slice(2, 5).map(Number) as [number, number, number];
const dataDir = process.argv[5]!;
const settings = loadSettings(process.env).values;
const table = new MetricsTable(1 + threads);
const log = createLogger('shard-listener', settings.logLevel);
const page = await startMetricsServer({ host: '127.0.0.1', port: metricsPort, table, log });

const workers = Array.from({ length: threads }, (_, index) => {
  const { port1, port2 } = new MessageChannel();
  const task: ThreadTask = {
    index,
    // The kernel spreads connections as it likes, so that any thread may get nearly all.
    slots: settings.maxStreams,
    settings,
    host: settings.host,
    port,
    spillDir: join(dataDir, 'spill'),
    metrics: table.buffer,
    control: port2,
  };
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: task,
    transferList: [port2],
  });
  worker.once('error', (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
  const ready = new Promise<void>((resolve) => port1.once('message', () => resolve()));
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return { control: port1, ready, ended };
});
await Promise.all(workers.map(({ ready }) => ready));
process.once('SIGTERM', async () => {
  for (const { control } of workers) control.postMessage('end');
  await Promise.all(workers.map(({ ended }) => ended));
  for (const { control } of workers) control.close();
  await page.close();
});
process.stdout.write('Ready: streams\n');
