import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseNiceness } from '../../config/process/index.js';
import type { Logger } from '../../log/index.js';
import type { Account } from '../privileges/index.js';
import { saysDiskFull, startFailed } from './binaries.js';
import { watchServerSessions } from './server-sessions.js';
import { trySignal } from './try-signal.js';

const startTimeout = 60_000;
/** Ms that a fast shutdown may take. If it takes longer, the server gets an immediate shutdown. */
export const stopTimeout = 30_000;
const usualConnections = 200;
/** Size in bytes above which a start renames the server log. */
const largestLog = 4_194_304;

/** Files, programs and user of a server. */
export interface Layout {
  readonly folder: string;
  readonly binaries: string;
  readonly account: Account | undefined;
}

export interface ServerOptions {
  readonly log: Logger;
  /** Maximum number of connections; absent: 200. */
  readonly connections?: number;
  /**
   * Whether commits survive a crash of the machine. If false, commits survive only a crash of the server. Absent: true.
   */
  readonly durable?: boolean;
}

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Shell script that runs the server. The script holds the reading end of a pipe from this process. When this process
 * ends for any reason, the pipe closes and the script requests a fast shutdown of the server.
 *
 * The server must run until all sessions are drained, so it is in another process group. Signals to this process's
 * group thus do not reach it. The script exits with the server's exit code. Descriptor 3 keeps the pipe apart from the
 * server's standard input.
 */
const wrapper = `
exec 3<&0
nice -n ${Math.max(0, databaseNiceness - getPriority())} "$@" 3<&- </dev/null &
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
 * Starts a server on a loopback port and waits until it answers.
 * @throws Error with the server's last error line if it does not start; CochleaError `database_start_failed`.
 */
export const startServer = async (
  options: ServerOptions,
  { folder, binaries, account }: Layout,
  port: number,
): Promise<RunningServer> => {
  const data = join(folder, 'data');
  const logFile = join(folder, 'server.log');
  await limitLog(logFile);
  const output = await open(logFile, 'a', 0o600);
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: options.connections ?? usualConnections,
    shared_buffers: '64MB',
    log_min_messages: 'warning',
    // Statements and their values contain speech, so the server does not log them.
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
    ['-c', wrapper, 'cochlea-postgres', join(binaries, 'postgres'), '-D', data, ...assignments],
    {
      cwd: folder,
      env: serverEnvironment(),
      detached: true,
      stdio: ['pipe', output.fd, output.fd],
      ...identityOf(account),
    },
  );
  // This process never writes to the pipe. The pipe breaks if the script ends first, which is not an error.
  child.stdin?.on('error', () => {});
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  await output.close();
  const stop = (): Promise<void> => stopServer(child, data, exited, account);
  try {
    await writeFile(join(folder, 'owner'), `${process.pid}\n`);
    const pid = await whenReady(data, stale, exited);
    if (pid === undefined) {
      const said = (await readFile(logFile, 'utf8')).slice(from).trim();
      throw Object.assign(new Error(lastComplaint(said)), { stderr: saysDiskFull(said) ? said : undefined });
    }
    // The child and its pipe do not keep this process alive. When this process ends, the script stops the server.
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    options.log.info({ server: pid, port }, 'embedded database started');
    void exited.then(watchServerSessions(pid));
    return { port, pid, exited, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
};

/** Returns the last line of the server's output that reports an error, without the line's prefix. */
const lastComplaint = (said: string): string => {
  const lines = said.split('\n');
  const complaint = lines.findLast((line) => /FATAL|PANIC|ERROR|could not/.test(line)) ?? lines.at(-1) ?? '';
  return complaint.replace(/^.*?(FATAL|PANIC|ERROR|LOG|WARNING):\s*/, '') || 'it ended without a message';
};

/**
 * Waits until the server is ready. Returns the postmaster's process id, or undefined if the server ended before it was
 * ready.
 * @param stale content of `postmaster.pid` left by a killed server, which may also contain "ready".
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

const stopServer = async (
  child: ChildProcess,
  data: string,
  exited: Promise<void>,
  account: Account | undefined,
): Promise<void> => {
  child.ref();
  child.stdin?.end();
  const forced = setTimeout(async () => {
    const pid = Number((await readText(join(data, 'postmaster.pid')))?.split('\n')[0]);
    if (pid > 0 && (await belongsTo(pid, account))) trySignal(pid, 'SIGQUIT');
  }, stopTimeout);
  await exited;
  clearTimeout(forced);
};

/**
 * Checks whether a process runs as the server's account. The account can write the pid file, and without this check it
 * could trick root into ending any process.
 */
export const belongsTo = async (pid: number, account: Account | undefined): Promise<boolean> => {
  if (account === undefined || process.platform !== 'linux') return true;
  return (await stat(`/proc/${pid}`).catch(() => undefined))?.uid === account.uid;
};

/**
 * Returns the environment of the server's programs. It contains no variables of this process, because libpq's variables
 * would change the programs' behaviour.
 */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
});

/** Returns the options that run a child process as an account. */
export const identityOf = (account: Account | undefined): { uid?: number; gid?: number } =>
  account === undefined ? {} : { uid: account.uid, gid: account.gid };

const limitLog = async (path: string): Promise<void> => {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > largestLog) await rename(path, `${path}.1`);
};

/** Reads the text of a file; undefined when the file cannot be read. */
export const readText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(() => undefined);
