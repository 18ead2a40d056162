/**
 * Simulates a bug. The tests preload this file into every process and thread of the product. At each SIGUSR2, every
 * shard of an engine hangs in the way that the next word of the variable FAULTS names. `spin` hangs in JavaScript.
 * `block` hangs in native code until the file FAULT_ENDS exists. The product itself does not handle this signal.
 */
import { execFileSync } from 'node:child_process';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

const faults = new BroadcastChannel('faults');
(faults as unknown as { unref(): void }).unref();

if (isMainThread) {
  const orders = (process.env.FAULTS ?? '').split(' ');
  const isEngine = process.argv.includes('engine');
  if (isEngine) process.on('SIGUSR2', () => faults.postMessage(orders.shift() ?? 'block'));
} else {
  faults.onmessage = (event) => {
    if ((event as { data: string }).data === 'spin') for (;;);
    execFileSync('sh', ['-c', 'until [ -e "$0" ]; do sleep 0.1; done', process.env.FAULT_ENDS ?? '/']);
    process.stderr.write(`thread ${threadId} goes on\n`);
  };
}
