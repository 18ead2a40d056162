/** The complete product as an operator runs it: `cochlea up` in its own processes, with its own folder and ports. */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { lineOf } from '../../bench/fleet/child-process.js';
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { withDatabase } from '../../src/app/database/operator-database.js';
import type { WearableOptions } from '../../src/app/wearable/options.js';
import { Wearable, type WearableListener } from '../../src/app/wearable/wearable.js';
import { loadSettings } from '../../src/config/load-settings.js';
import type { Settings } from '../../src/config/settings.js';
import { createApiKey } from '../../src/identity/api-keys.js';
import { developerScopes } from '../../src/identity/scopes.js';
import { issueIdToken } from '../../src/identity/token-issuer.js';
import { createUser } from '../../src/identity/users.js';
import { modelsDirectory } from '../../src/models/directory.js';
import { testDatabaseUrl } from './database/database.js';
import { prepareDatabase } from './database/prepared-database.js';
import { fleetOfEnvironment, startServiceFleet } from './service-fleet.js';

const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));
const run = promisify(execFile);

/** The part of a tap test that this file needs. */
interface Teardown {
  teardown(action: () => unknown): unknown;
}

export interface User {
  readonly uid: string;
  readonly token: string;
}

export interface Service {
  readonly base: string;
  readonly metrics: string;
  /** Addresses of the Prometheus pages of all machines, if there are several. */
  readonly metricsPages?: readonly string[];
  readonly dataDir: string;
  readonly pid: number;
  /** Path of the file with the product's standard error. */
  readonly logFile: string;
  /** The settings of the product's commands. */
  readonly settings: Settings;
  /** Returns the standard error of the product, or of all machines if there are several. */
  readLog(): string;
  /** Stops reading the product's standard error, which simulates a stalled log collector. */
  stallLog(): void;
  resumeLog(): void;
  /** Runs a `cochlea` command with the settings of the product, and returns its output. */
  cochlea(...args: readonly string[]): Promise<string>;
  user(uid: string): Promise<User>;
  developerKey(uid: string): Promise<string>;
  wearable(user: User, options?: Partial<WearableOptions>, listener?: WearableListener): Promise<Wearable>;
  /** Returns the ids of the service's descendant processes whose command line contains `words`. */
  processes(words: string): number[];
  /** Sends SIGTERM or another signal. Resolves with the exit code and signal when the product has ended. */
  stop(
    signal?: NodeJS.Signals,
  ): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Reads every process of the machine from /proc. */
export const allProcesses = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (fields[0] === 'Z') return [];
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(fields[1]), command: words }];
      } catch {
        // The process has ended since it was listed.
        return [];
      }
    });

/** Returns a process and all its descendants. */
export const descendants = (root: number): Process[] => {
  const all = allProcesses();
  const found = new Set([root]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of all) {
      if (found.has(parent) && !found.has(pid)) grew = Boolean(found.add(pid));
    }
  }
  return all.filter(({ pid }) => found.has(pid));
};

/**
 * Starts the product with its own folder and ports. The folder is removed with the test. If the run wants several machines
 * (`service-fleet.ts`), starts all of them with a database of the run's shared server.
 * @param prepare fills the data folder before the start. Default: adds the files of a database. Not called for several machines.
 */
export const startService = (
  t: Teardown,
  extra: NodeJS.ProcessEnv = {},
  prepare: (dataDir: string) => Promise<void> = prepareDatabase,
): Promise<Service> => {
  const wanted = fleetOfEnvironment();
  if (wanted === undefined) return startMachine(t, extra, prepare);
  return startServiceFleet(t, wanted, extra, (env) => startMachine(t, env, async () => undefined));
};

const startMachine = async (
  t: Teardown,
  extra: NodeJS.ProcessEnv,
  prepare: (dataDir: string) => Promise<void>,
): Promise<Service> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-service-'));
  const [port, metricsPort, sidecarPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    COCHLEA_MODELS_DIR: modelsDirectory(loadSettings().values),
    COCHLEA_DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    SIDECAR_PORT: String(sidecarPort),
    LOG_LEVEL: 'info',
    ...extra,
  };
  const logFile = join(dataDir, 'service.log');
  await prepare(env.COCHLEA_DATA_DIR!);
  const child = spawn(process.execPath, [command, 'up'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const logged = createWriteStream(logFile);
  child.stderr.pipe(logged);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  t.teardown(async () => {
    child.kill('SIGCONT');
    const started = descendants(child.pid!).map(({ pid }) => pid);
    const hard = setTimeout(() => {
      for (const pid of started) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // The process has ended since it was listed.
        }
      }
    }, 40_000);
    await stop();
    clearTimeout(hard);
    await rm(dataDir, { recursive: true, force: true });
  });
  try {
    await lineOf(child, /^Ready:/, 60_000);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
  }
  const cochlea = async (...args: readonly string[]): Promise<string> =>
    (await run(process.execPath, [command, ...args], { env, timeout: 60_000 })).stdout;
  const base = `http://127.0.0.1:${env.PORT}`;
  const settings = loadSettings(env).values;
  return {
    base,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    dataDir,
    pid: child.pid!,
    logFile,
    settings,
    readLog: () => readFileSync(logFile, 'utf8'),
    cochlea,
    // These functions do the same as the operator's commands. A separate process for each command would take longer
    // than its work.
    user: (uid) =>
      withDatabase(settings, async (sql) => {
        await createUser(sql, { uid });
        return { uid, token: await issueIdToken(sql, settings, uid) };
      }),
    developerKey: async (uid) => {
      const key = { uid, name: 'test', family: 'dev', scopes: [...developerScopes] } as const;
      return (await withDatabase(settings, (sql) => createApiKey(sql, settings, key))).key;
    },
    wearable: (user, options = {}, listener = {}) =>
      Wearable.connect(
        {
          url: base,
          uid: user.uid,
          token: user.token,
          codec: 'opus',
          rate: 16_000,
          conversationTimeout: 120,
          connectTimeout: 60_000,
          ...options,
        },
        listener,
      ),
    processes: (words) =>
      descendants(child.pid!)
        .filter((process) => process.command.includes(words))
        .map(({ pid }) => pid),
    stop,
    stallLog: () => {
      child.stderr.unpipe(logged);
      child.stderr.pause();
    },
    resumeLog: () => {
      child.stderr.pipe(logged);
    },
  };
};

/** Starts the product with a database on the run's shared server. For tests that need no separate PostgreSQL. */
export const serviceOnTestDatabase = async (t: Teardown, extra: NodeJS.ProcessEnv = {}): Promise<Service> => {
  const url = await testDatabaseUrl(t);
  return startService(t, { DATABASE_URL: url, ...extra }, async () => undefined);
};

const readMetric = async (url: string, name: string): Promise<number> => {
  const page = await (await fetch(url)).text();
  const line = page.split('\n').find((text) => new RegExp(`^(cochlea_)?${name}(\\{.*\\})? `).test(text));
  if (!line) throw new Error(`no metric ${name}`);
  return Number(line.split(' ').at(-1));
};

/** Returns one value of the Prometheus page, or the sum of this value over several machines. */
export const metric = async (
  { metrics, metricsPages = [metrics] }: Pick<Service, 'metrics' | 'metricsPages'>,
  name: string,
): Promise<number> => {
  const values = await Promise.all(metricsPages.map((url) => readMetric(url, name)));
  return values.reduce((sum, value) => sum + value, 0);
};

export interface StoredSegmentView {
  readonly id: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface ConversationView {
  readonly id: string;
  readonly structured: { readonly title: string; readonly overview: string };
  readonly transcript_segments: readonly StoredSegmentView[];
}

/** Returns a conversation that is read from REST with a developer key. */
export const readBack = async (service: Service, key: string, id: string): Promise<ConversationView> => {
  const answer = await fetch(`${service.base}/v1/dev/user/conversations/${id}?include_transcript=true`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as ConversationView;
};
