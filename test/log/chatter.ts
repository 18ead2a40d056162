/**
 * Logs much more than a pipe buffers, from the main thread and from a worker, and prints the number of dropped lines.
 */
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { countLogLosses, createLogger } from '../../src/log/logger.js';
import { MetricsTable } from '../../src/metrics/metrics.js';

const row = new MetricsTable(1).row(0);
const log = createLogger('chatter', { logLevel: 'info', logBuffer: 4096, logRepeats: 0 });
for (let line = 0; line < 3000; line++) log.info({ line, padding: 'x'.repeat(100) }, 'chatter');
countLogLosses(row);
const dropped = row.get('log_lines_dropped_total');

if (isMainThread) {
  const worker = new Worker(fileURLToPath(import.meta.url));
  worker.once('message', (byWorker: number) =>
    process.stdout.write(`${JSON.stringify([dropped, byWorker])}\n`),
  );
} else parentPort!.postMessage(dropped);
