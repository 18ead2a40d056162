import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endChild, lineOf } from '../../fleet/child-process.js';
import { freePort } from '../../fleet/free-port.js';
import type { Target } from '../../fleet/target.js';
import { startBenchDatabase } from '../../suites/database.js';

const startTimeout = 30_000;
const stopTimeout = 30_000;

/**
 * Starts the experiment: every thread has a listener on one port and the shard behind it.
 * @param threads how many.
 * @throws Error when it does not start.
 */
export const startShardListener = async (threads: number, cpus?: string): Promise<Target> => {
  const database = await startBenchDatabase(true);
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const words = [
    fileURLToPath(new URL('./server.js', import.meta.url)),
    ...[threads, port, metricsPort].map(String),
    database.dataDir,
  ];
  const [program, ...args] =
    cpus === undefined ? [process.execPath, ...words] : ['taskset', '-c', cpus, process.execPath, ...words];
  const child = spawn(program!, args, {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      AUTH_MODE: 'uid',
      // Threads share a port with uWebSockets.js alone on Node 20, and the load is of ordinary requests.
      COCHLEA_LISTENER: 'uws-untested',
      COCHLEA_STT: 'discard',
      MAX_STREAMS: '2000',
      MAX_STREAMS_PER_USER: '2000',
      DRAIN_TIMEOUT: '5000',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const stop = async (): Promise<void> => {
    await endChild(child, stopTimeout);
    await database.remove();
  };
  try {
    await lineOf(child, /^Ready:/, startTimeout);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: 'listener on each shard',
    url: `ws://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: child.pid!,
    stt: 'discard',
    versions: {},
    stop,
  };
};
