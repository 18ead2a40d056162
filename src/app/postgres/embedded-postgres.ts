import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onConnection } from '../../store/client/index.js';
import { type Account, removeAs, serverAccount } from '../privileges/index.js';
import { findPostgresPackage, startError, startFailed, usableBinaries } from './binaries.js';
import { prepareFolder } from './folder.js';
import { freePort, isFree } from './free-port.js';
import { endOrphanedServer } from './orphaned-server.js';
import {
  identityOf,
  type Layout,
  type RunningServer,
  readText,
  type ServerOptions,
  serverEnvironment,
  startServer,
} from './server.js';

const run = promisify(execFile);

export interface EmbeddedPostgresOptions extends ServerOptions {
  /** The product's data folder; all files of the server are in its subfolder `postgres`. */
  readonly dataDir: string;
  /** Port of the server. Absent: the port of the last run if it is free, or else any free port. */
  readonly port?: number;
}

export interface EmbeddedPostgres {
  /** Address of the database. It contains the password, so it must not be logged. */
  readonly url: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  /**
   * Resolves when the server has ended for any reason. A later start on this folder uses the same data, and the same
   * port if it is free. Awaiting this promise does not keep the process alive.
   */
  readonly exited: Promise<void>;
  /**
   * Stops the server with a fast shutdown: open transactions are rolled back, committed data is flushed. Resolves when
   * the server has ended.
   */
  stop(): Promise<void>;
}

const user = 'cochlea';
const database = 'cochlea';
/** Maximum ms to wait until the child processes of a killed server have ended. */
const childTimeout = 10_000;

/** Checks whether a data folder contains an embedded database, even if this process may not read its files. */
export const hasDatabase = (dataDir: string): Promise<boolean> =>
  lstat(join(dataDir, 'postgres', 'data')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );

/**
 * Starts the PostgreSQL server that the product includes, on loopback only. The first start creates the database files,
 * which takes about a second. When root starts the server, it runs as the system user `cochlea`.
 *
 * A Ctrl-C does not reach the server, because it is not in this process's group. The caller must stop the server last,
 * after everything that uses it.
 * @throws CochleaError `database_start_failed` or `disk_full`.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const folder = join(options.dataDir, 'postgres');
  try {
    const installed = await findPostgresPackage();
    const account = await serverAccount();
    await prepareFolder(folder, account, options.log);
    const binaries = join(await usableBinaries(installed, folder, account), 'bin');
    await endOrphanedServer(folder, account, options.log);
    const password = await initialise(folder, binaries, account, options.durable !== false);
    const server = await startOnSomePort(options, { folder, binaries, account });
    const url = `postgres://${user}:${password}@127.0.0.1:${server.port}/${database}`;
    try {
      await ensureDatabase(url);
    } catch (thrown) {
      await server.stop();
      throw thrown;
    }
    return { url, pid: server.pid, exited: server.exited, stop: server.stop };
  } catch (thrown) {
    throw startError(thrown, folder);
  }
};

/** Creates the database files if none exist, and returns the password. */
const initialise = async (
  folder: string,
  binaries: string,
  account: Account | undefined,
  durable: boolean,
): Promise<string> => {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const version = await readText(join(data, 'PG_VERSION'));
  if (version !== undefined) {
    const { stdout } = await run(join(binaries, 'postgres'), ['--version'], identityOf(account));
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
  // The folder gets its final name only when it is complete. An interrupted first start thus leaves no folder that
  // looks complete.
  const unfinished = `${data}.new`;
  await removeAs(account, unfinished);
  // Root creates this folder, because the account has no right to create entries in its parent.
  await mkdir(unfinished, { mode: 0o700 });
  if (account !== undefined) await chown(unfinished, account.uid, account.gid);
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = [`--username=${user}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  await run(
    join(binaries, 'initdb'),
    [`--pgdata=${unfinished}`, ...locale, ...access, '--no-instructions', ...(durable ? [] : ['--no-sync'])],
    { cwd: folder, env: serverEnvironment(), ...identityOf(account) },
  );
  await rename(unfinished, data);
  return password;
};

const startOnSomePort = async (options: EmbeddedPostgresOptions, layout: Layout): Promise<RunningServer> => {
  const portFile = join(layout.folder, 'port');
  const last = Number(await readText(portFile)) || 0;
  const wanted = options.port ?? (last !== 0 && (await isFree(last)) ? last : await freePort());
  const deadline = Date.now() + childTimeout;
  for (let attempt = 1, port = wanted; ; ) {
    try {
      const server = await startServer(options, layout, port);
      await writeFile(portFile, `${port}\n`);
      return server;
    } catch (thrown) {
      const why = String(thrown);
      if (/shared memory block is still in use/.test(why) && Date.now() < deadline) {
        // An earlier server was killed, and its child processes still run. They end as soon as they detect that the
        // server has ended.
        await pause(100);
        continue;
      }
      const taken = /Address already in use|could not create any TCP/i.test(why);
      if (!taken || options.port !== undefined || attempt++ === 3) throw thrown;
      port = await freePort();
    }
  }
};

const ensureDatabase = async (url: string): Promise<void> => {
  const server = new URL(url);
  server.pathname = '/postgres';
  await onConnection(server.href, { name: 'start' }, async (sql) => {
    const found = await sql`select 1 from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
  });
};
