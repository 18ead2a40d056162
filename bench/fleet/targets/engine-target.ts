import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout, productCommand } from '../../checkout.js';
import { endChild, lineOf } from '../child-process.js';
import { familyOf } from '../process-usage.js';
import type { Target } from '../target.js';
import { freePort } from './free-port.js';

export interface EngineTargetOptions {
  /** Settings that override those of the bench. */
  readonly env?: Readonly<Record<string, string>>;
  /** CPUs that the engine may use, in the syntax of `taskset` (`0,1`); absent: any CPU. */
  readonly cpus?: string;
  /** Root folder of the checkout whose build is started; absent: this checkout. */
  readonly root?: URL;
  readonly name?: string;
}

/** Maximum ms for the first start, which also creates the database. */
const startTimeout = 180_000;
/** Maximum ms in which the engine must drain, and the sidecar and the database must end. */
const stopTimeout = 60_000;

/** Settings that lift all limits on streams, so that only the limits of the machine apply. */
const measured = {
  HOST: '127.0.0.1',
  METRICS_HOST: '127.0.0.1',
  SIDECAR_HOST: '127.0.0.1',
  AUTH_MODE: 'uid',
  COCHLEA_STT: 'discard',
  MAX_STREAMS: '10000',
  MAX_STREAMS_PER_USER: '10000',
  MAX_OPENS_PER_USER: '10000',
  ENGINE_PROCESSES: '1',
  DRAIN_TIMEOUT: '5000',
  LOG_LEVEL: 'warn',
  DATABASE_URL: '',
} as const;

/** Finds the engine among the processes that `cochlea up` started. */
const enginePid = (supervisor: number): number => {
  const engine = familyOf(supervisor).find(({ command }) => / engine( --index 0)?\s*$/.test(command));
  if (!engine) throw new Error('the engine was not found among the processes of "cochlea up"');
  return engine.pid;
};

/** Returns this process's environment without `NODE_OPTIONS`, which must not affect the product. */
const inherited = (): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  return environment;
};

/**
 * Starts Cochlea with its own embedded PostgreSQL, files and ports, and without a transcriber. `pid` is the engine.
 * Supervisor, sidecar and database are the other processes of its family.
 * @throws Error with the last lines of output when it does not start.
 */
export const startEngine = async (options: EngineTargetOptions = {}): Promise<Target> => {
  const { env = {}, cpus, root = checkout, name = 'cochlea' } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  // If root runs the bench, the database runs as a different user, who must be able to traverse the folder.
  await chmod(dataDir, 0o755);
  const [port, metricsPort, sidecarPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const logFile = join(dataDir, 'bench.log');
  const log = openSync(logFile, 'w');
  const command = root === checkout ? productCommand : new URL('dist/src/app/cochlea.js', root);
  const words = [command.pathname, 'up'];
  const [program, ...args] =
    cpus === undefined ? [process.execPath, ...words] : ['taskset', '-c', cpus, process.execPath, ...words];
  const settings = { ...measured, COCHLEA_DATA_DIR: dataDir, ...env };
  const child = spawn(program!, args, {
    env: {
      ...inherited(),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      SIDECAR_PORT: String(sidecarPort),
      ...settings,
    },
    stdio: ['ignore', 'pipe', log],
    // The process group is separate, so that Ctrl-C reaches only the bench. The bench stops its children in order.
    detached: true,
  });
  closeSync(log);
  const stop = async (): Promise<void> => {
    await endChild(child, stopTimeout);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await lineOf(child, /^Ready:/, startTimeout);
    const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
      version: string;
    };
    return {
      name,
      url: `ws://127.0.0.1:${port}`,
      metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      pid: enginePid(child.pid!),
      familyPid: child.pid!,
      logFile,
      stt: settings.COCHLEA_STT,
      versions: { cochlea: version },
      stop,
    };
  } catch (error) {
    const said = readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n');
    await stop();
    throw new Error(`Cochlea did not start: ${(error as Error).message}\n${said}`);
  }
};
