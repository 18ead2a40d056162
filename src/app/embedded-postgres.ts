import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { backgroundNiceness } from '../config/priority.js';
import type { Logger } from '../log/index.js';
import { connectDatabase } from '../store/database.js';
import {
  type Account,
  ensureReachable,
  findPostgresPackage,
  saysDiskFull,
  serverAccount,
  startError,
  startFailed,
  usableBinaries,
} from './postgres-binaries.js';
import { trySignal } from './try-signal.js';

const run = promisify(execFile);

export interface EmbeddedPostgresOptions {
  /** The product's data folder; everything of the server lies in `postgres` below it. */
  readonly dataDir: string;
  readonly log: Logger;
  /** Port to use; otherwise the one of the last run if it is free, else a free one. */
  readonly port?: number;
  /** Connections it accepts; 200 when absent. */
  readonly connections?: number;
  /** False: commits survive a crash of the server but not of the machine. For tests; true when absent. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  /** With its password: never log it. */
  readonly url: string;
  /** The postmaster. */
  readonly pid: number;
  /**
   * Resolves when the server is gone, whether stopped or lost. Start it again on the same folder to continue: it takes
   * the same port if it can. Waiting for this alone does not keep the process alive.
   */
  readonly exited: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, what is committed is flushed. Resolves when it is gone. */
  stop(): Promise<void>;
}

const user = 'cochlea';
const database = 'cochlea';
const usualConnections = 200;
const startTimeout = 60_000;
const stopTimeout = 30_000;
/** How long to wait for what a killed server left running. */
const orphanTimeout = 10_000;

/**
 * The server's keeper: a shell that holds the reading end of a pipe from this process. When this process is gone, in
 * whatever way, the pipe ends and the server is asked for a fast shutdown; so it never outlives its owner for long,
 * yet a signal to the owner's process group does not reach it before sessions are drained. The keeper leaves with
 * the server's exit code. Descriptor 3 keeps the pipe apart from the server's own standard input.
 */
const keeper = `
exec 3<&0
nice -n ${Math.max(0, backgroundNiceness - getPriority())} "$@" 3<&- </dev/null &
server=$!
trap '' INT HUP
{ read -r _ <&3; kill -INT $server; } 2>/dev/null &
watcher=$!
exec 3<&-
wait $server
code=$?
kill $watcher 2>/dev/null
exit $code`;

/**
 * Starts the PostgreSQL that comes with the product, on the loopback interface only, and creates its files at the
 * first start (about a second). Started by root, it runs as the system user `cochlea`. It is detached from this
 * process's group: whoever starts it stops it, last of all.
 * @throws CochleaError `database_start_failed` or `disk_full`, one line with the remedy.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const place = join(options.dataDir, 'postgres');
  try {
    const installed = await findPostgresPackage();
    const account = await serverAccount();
    await mkdir(place, { recursive: true });
    if (account !== undefined) {
      await ensureReachable(place, account);
      await chown(place, account.uid, account.gid);
    }
    const binaries = join(await usableBinaries(installed, place, account), 'bin');
    await endForgottenServer(place, options.log);
    const password = await initialise(place, binaries, account, options.durable !== false);
    const server = await startOnSomePort(options, { place, binaries, account });
    const url = `postgres://${user}:${password}@127.0.0.1:${server.port}/${database}`;
    try {
      await ensureDatabase(url);
    } catch (thrown) {
      await server.stop();
      throw thrown;
    }
    return { url, pid: server.pid, exited: server.exited, stop: server.stop };
  } catch (thrown) {
    throw startError(thrown, place);
  }
};

interface Layout {
  readonly place: string;
  readonly binaries: string;
  readonly account: Account | undefined;
}

/** Creates the cluster if there is none, and returns the password. */
const initialise = async (
  place: string,
  binaries: string,
  account: Account | undefined,
  durable: boolean,
): Promise<string> => {
  const data = join(place, 'data');
  const passwordFile = join(place, 'password');
  const version = await readText(join(data, 'PG_VERSION'));
  if (version !== undefined) {
    const { stdout } = await run(join(binaries, 'postgres'), ['--version']);
    if (!stdout.includes(` ${version.trim()}.`)) {
      throw startFailed(
        `${data} belongs to PostgreSQL ${version.trim()}, this is ${stdout.trim()}`,
        'Dump it with the old version and restore it, or move the folder away.',
      );
    }
    const password = await readText(passwordFile);
    if (password === undefined) throw startFailed(`${passwordFile} is missing`, 'Restore it from a backup.');
    return password.trim();
  }
  const password = randomBytes(24).toString('hex');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
  // Made beside its final name: an interrupted first start leaves nothing that looks finished.
  const unfinished = `${data}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = [`--username=${user}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  await run(
    join(binaries, 'initdb'),
    [`--pgdata=${unfinished}`, ...locale, ...access, '--no-instructions', ...(durable ? [] : ['--no-sync'])],
    { cwd: place, env: serverEnvironment(), ...identityOf(account) },
  );
  await rename(unfinished, data);
  return password;
};

const startOnSomePort = async (options: EmbeddedPostgresOptions, layout: Layout): Promise<RunningServer> => {
  const portFile = join(layout.place, 'port');
  const last = Number(await readText(portFile)) || 0;
  const wanted = options.port ?? (last !== 0 && (await isFree(last)) ? last : await freePort());
  const patience = Date.now() + orphanTimeout;
  for (let attempt = 1, port = wanted; ; ) {
    try {
      const server = await startServer(options, layout, port);
      await writeFile(portFile, `${port}\n`);
      return server;
    } catch (thrown) {
      const why = String(thrown);
      if (/shared memory block is still in use/.test(why) && Date.now() < patience) {
        // A server was killed; its children notice within moments and leave.
        await pause(100);
        continue;
      }
      const taken = /Address already in use|could not create any TCP/i.test(why);
      if (!taken || options.port !== undefined || attempt++ === 3) throw thrown;
      port = await freePort();
    }
  }
};

interface RunningServer {
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

const startServer = async (
  options: EmbeddedPostgresOptions,
  { place, binaries, account }: Layout,
  port: number,
): Promise<RunningServer> => {
  const data = join(place, 'data');
  const logFile = join(place, 'server.log');
  await limitLog(logFile);
  const output = await open(logFile, 'a', 0o600);
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: options.connections ?? usualConnections,
    shared_buffers: '64MB',
    log_min_messages: 'warning',
    // Neither statements nor the values in them: they hold what people said.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(options.durable === false ? { fsync: 'off', full_page_writes: 'off' } : {}),
  };
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const from = (await stat(logFile)).size;
  const stale = await readText(join(data, 'postmaster.pid'));
  const child = spawn(
    '/bin/sh',
    ['-c', keeper, 'cochlea-postgres', join(binaries, 'postgres'), '-D', data, ...assignments],
    {
      cwd: place,
      env: serverEnvironment(),
      detached: true,
      stdio: ['pipe', output.fd, output.fd],
      ...identityOf(account),
    },
  );
  // The pipe is only ever held and closed; a keeper that is gone first is no error of ours.
  child.stdin?.on('error', () => {});
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  await output.close();
  const stop = (): Promise<void> => stopServer(child, data, exited);
  try {
    await writeFile(join(place, 'owner'), `${process.pid}\n`);
    const pid = await whenReady(data, stale, exited);
    if (pid === undefined) {
      const said = (await readFile(logFile, 'utf8')).slice(from).trim();
      throw Object.assign(new Error(lastComplaint(said)), { stderr: saysDiskFull(said) ? said : undefined });
    }
    // Neither the child nor its pipe keeps this process alive: when it ends, the server ends.
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    options.log.info({ server: pid, port }, 'embedded database started');
    return { port, pid, exited, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
};

const lastComplaint = (said: string): string => {
  const lines = said.split('\n');
  const complaint = lines.findLast((line) => /FATAL|PANIC|ERROR|could not/.test(line)) ?? lines.at(-1) ?? '';
  return complaint.replace(/^.*?(FATAL|PANIC|ERROR|LOG|WARNING):\s*/, '') || 'it ended without a word';
};

/**
 * The postmaster's process id once it answers; undefined when it ended first.
 * @param stale what a killed server left in the file, which says "ready" too.
 */
const whenReady = async (
  data: string,
  stale: string | undefined,
  exited: Promise<void>,
): Promise<number | undefined> => {
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  for (const deadline = Date.now() + startTimeout; Date.now() < deadline; await pause(20)) {
    const text = await readText(join(data, 'postmaster.pid'));
    if (ended) return undefined;
    const lines = text === stale ? [] : (text?.split('\n') ?? []);
    if (lines[7]?.trim() === 'ready') return Number(lines[0]);
  }
  throw startFailed(
    `it is not ready after ${startTimeout / 1000} s`,
    'Look into server.log in its folder; a long recovery may be under way.',
  );
};

const stopServer = async (child: ChildProcess, data: string, exited: Promise<void>): Promise<void> => {
  child.ref();
  child.stdin?.end();
  const patience = setTimeout(async () => {
    const pid = Number((await readText(join(data, 'postmaster.pid')))?.split('\n')[0]);
    if (pid > 0) trySignal(pid, 'SIGQUIT');
  }, stopTimeout);
  await exited;
  clearTimeout(patience);
};

/** Ends a server of an earlier owner that is gone; refuses when that owner still lives. */
const endForgottenServer = async (place: string, log: Logger): Promise<void> => {
  const pidFile = join(place, 'data', 'postmaster.pid');
  const pid = Number((await readText(pidFile))?.split('\n')[0]);
  if (!(pid > 0)) return;
  // The file of a dead server stays: by it PostgreSQL knows whether that server's children still write.
  if (!trySignal(pid, 0)) return;
  if (!(await isPostgres(pid))) {
    // The number belongs to another process by now, and PostgreSQL would refuse to start.
    await rm(pidFile, { force: true });
    return;
  }
  const owner = Number(await readText(join(place, 'owner')));
  if (owner > 0 && owner !== process.pid && trySignal(owner, 0)) {
    throw startFailed(
      `process ${owner} already uses ${place}`,
      'Stop it, or set COCHLEA_DATA_DIR to another folder.',
    );
  }
  log.warn({ server: pid }, 'ending the database server of an earlier run');
  trySignal(pid, 'SIGINT');
  for (const deadline = Date.now() + stopTimeout; trySignal(pid, 0) && Date.now() < deadline; )
    await pause(50);
  if (trySignal(pid, 0))
    throw startFailed(`the server of an earlier run (${pid}) does not end`, `Kill process ${pid}.`);
};

const isPostgres = async (pid: number): Promise<boolean> => {
  const command =
    (await readText(`/proc/${pid}/comm`)) ??
    (await run('ps', ['-o', 'comm=', '-p', `${pid}`]).then(
      (r) => r.stdout,
      () => '',
    ));
  return command.includes('postgres');
};

const ensureDatabase = async (url: string): Promise<void> => {
  const server = new URL(url);
  server.pathname = '/postgres';
  const sql = connectDatabase(server.href, { max: 1, name: 'start' });
  try {
    const found = await sql`select 1 from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
  } finally {
    await sql.end({ timeout: 1 });
  }
};

/** Nothing of our environment concerns the server, and libpq variables would mislead it. */
const serverEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' });

const identityOf = (account: Account | undefined): { uid?: number; gid?: number } =>
  account === undefined ? {} : { uid: account.uid, gid: account.gid };

const limitLog = async (path: string): Promise<void> => {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > 4_194_304) await rename(path, `${path}.1`);
};

const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no port')),
      );
    });
  });
