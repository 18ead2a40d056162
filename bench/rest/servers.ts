import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sidecarFlags } from '../../src/app/process/child-flags.js';
import { backgroundNiceness } from '../../src/config/process/priority.js';
import { checkout, productCommand } from '../checkout.js';
import { endChild, gone, lineOf } from '../fleet/child-process.js';
import { freePort } from '../fleet/targets/free-port.js';
import { isPrepared, prepareEnvironment } from '../peers/virtual-environment.js';

/** A server under test. The compared servers use one database. */
export interface RestServer {
  readonly name: string;
  /** `http://host:port` */
  readonly url: string;
  readonly pid: number;
  readonly versions: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface RestServerOptions {
  /** URL of the database. It contains the password and must never be printed. */
  readonly databaseUrl: string;
  readonly rateLimitBoost: number;
}

/** The sidecar's default number of database connections for requests. */
const connections = 4;
/** `begin`: maximum ms for a server to start. `end`: ms after which a server that does not end on request is killed. */
const timeouts = { begin: 60_000, end: 15_000 };

const environment = { name: 'python-rest', requirements: 'bench/peers/rest/requirements.txt' } as const;

/** Returns whether the peer can start without an installation. */
export const peerIsPrepared = (): Promise<boolean> => isPrepared(environment);

/** Creates a folder with a log file for the output of a server. In production, the log also goes to a file. */
const logged = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'server.log');
  const descriptor = openSync(file, 'a');
  return {
    folder,
    descriptor,
    close: () => closeSync(descriptor),
    lastLines: () => readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    return false;
  }
};

/**
 * Starts the sidecar as `cochlea up` does. Only its rate limits and the sentence model have other settings than the
 * defaults.
 */
export const startSidecarProcess = async (options: RestServerOptions): Promise<RestServer> => {
  const log = await logged();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const program = fileURLToPath(productCommand);
  const child = spawn(process.execPath, [...sidecarFlags, program, 'sidecar'], {
    env: {
      ...inherited,
      AUTH_MODE: 'uid',
      COCHLEA_DATA_DIR: log.folder,
      DATABASE_URL: options.databaseUrl,
      SIDECAR_HOST: '127.0.0.1',
      SIDECAR_PORT: String(port),
      RATE_LIMIT_BOOST: String(options.rateLimitBoost),
      LOG_LEVEL: 'info',
      // The measurement runs without a sentence model. In production, a low-priority thread computes the vector of a
      // memory later; `bench search` measures the model.
      SENTENCE_MODEL: 'none',
    },
    stdio: ['ignore', 'ignore', log.descriptor],
  });
  log.close();
  const stop = async (): Promise<void> => {
    await endChild(child, timeouts.end);
    await log.remove();
  };
  let ended = false;
  void gone(child).then(() => {
    ended = true;
  });
  for (const deadline = Date.now() + timeouts.begin; !(await answers(url)); await pause(50)) {
    if (!ended && Date.now() < deadline) continue;
    const said = log.lastLines();
    await stop();
    throw new Error(`the sidecar did not start\n${said}`);
  }
  const { version } = JSON.parse(readFileSync(new URL('package.json', checkout), 'utf8')) as {
    version: string;
  };
  return { name: 'cochlea', url, pid: child.pid!, versions: { cochlea: version }, stop };
};

/**
 * Starts a peer with the niceness of the sidecar. The peer prints a line `{"port": ..., "versions": {...}}` as soon as
 * it listens.
 * @param words program and arguments.
 */
export const startPeer = async (
  name: string,
  words: readonly string[],
  options: RestServerOptions,
): Promise<RestServer> => {
  const log = await logged();
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const child = spawn('nice', ['-n', String(Math.max(0, backgroundNiceness - getPriority())), ...words], {
    env: {
      ...inherited,
      DATABASE_URL: options.databaseUrl,
      DATABASE_POOL: String(connections),
      RATE_LIMIT_BOOST: String(options.rateLimitBoost),
    },
    // The peer's standard input is a pipe from this process. The peer ends when the pipe closes, so it cannot run
    // longer than this process.
    stdio: ['pipe', 'pipe', log.descriptor],
  });
  log.close();
  const stop = async (): Promise<void> => {
    await endChild(child, timeouts.end);
    await log.remove();
  };
  try {
    const [line] = await lineOf(child, /^\{.*\}$/, timeouts.begin);
    const { port, versions } = JSON.parse(line) as { port: number; versions: Record<string, string> };
    return { name, url: `http://127.0.0.1:${port}`, pid: child.pid!, versions, stop };
  } catch (error) {
    const said = log.lastLines();
    await stop();
    throw new Error(`the peer did not start: ${(error as Error).message}\n${said}`);
  }
};

/** Starts the minimal server for new memories. It uses packages and Node flags of the sidecar. */
export const startFloor = (options: RestServerOptions): Promise<RestServer> => {
  const program = fileURLToPath(new URL('dist/bench/peers/rest/floor.js', checkout));
  return startPeer('floor', [process.execPath, ...sidecarFlags, program], options);
};

/** Starts a Python server with the same routes. `skipped` is the reason why it is unavailable. */
export const startRestPeer = async (
  options: RestServerOptions,
): Promise<RestServer | { readonly skipped: string }> => {
  const prepared = await prepareEnvironment(environment);
  if ('skipped' in prepared) return prepared;
  const server = fileURLToPath(new URL('bench/peers/rest/server.py', checkout));
  return startPeer('fastapi', [prepared.python, server], options);
};
