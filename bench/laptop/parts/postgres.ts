/** The PostgreSQL pair: a primary, and a standby that confirms each commit. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgresPackage, usableBinaries } from '../../../src/app/postgres/binaries.js';
import type { Account } from '../../../src/app/privileges/index.js';
import { onConnection } from '../../../src/store/client/index.js';
import { waitFor } from '../processes.js';
import type { FleetState, Part } from '../state.js';

const run = promisify(execFile);
const user = 'cochlea';
export const databaseName = 'cochlea';

/** Ms within which a server starts, is promoted, or follows a different server. */
const timeout = 60_000;

/**
 * Returns a folder with PostgreSQL's programs that the account can enter.
 * @param place folder for a copy of the programs.
 */
export const postgresPrograms = async (place: string, account: Account | undefined): Promise<string> =>
  join(await usableBinaries(await findPostgresPackage(), place, account), 'bin');

const dataOf = (part: Part): string => join(part.folder, 'data');

/** Returns the address of one server. It contains the password. @param address as `host:port`. */
export const databaseUrl = (password: string, address: string, database = databaseName): string =>
  `postgres://${user}:${password}@${address}/${database}`;

/** Returns the address of one server for the tool itself. */
export const ownUrl = ({ secrets }: FleetState, { host, ports }: Part, database?: string): string =>
  databaseUrl(secrets.database, `${host}:${ports.main}`, database);

/**
 * Returns the address of the pair for clients. It names both servers, and clients use the one that takes writes.
 * `target_session_attrs` is `primary`, because with `read-write` the product's client would also accept a standby.
 */
export const pairUrl = (password: string, addresses: readonly string[]): string =>
  `${databaseUrl(password, addresses.join(','))}?target_session_attrs=primary`;

/** How a server takes part in replication. */
export interface Replication {
  /** Whether a commit waits until a standby has synced it. */
  readonly synchronous: boolean;
  /** The primary to follow, as `host:port`. Absent for a primary. */
  readonly follow?: string;
}

/** Writes the file `fleet.conf`, which the server reads at its start and after SIGHUP. */
const configure = async (
  part: Part,
  { secrets }: Pick<FleetState, 'secrets'>,
  { synchronous, follow }: Replication,
  account: Account | undefined,
): Promise<void> => {
  const [host, port] = follow?.split(':') ?? [];
  const path = join(dataOf(part), 'fleet.conf');
  const lines = [
    `port = ${part.ports.main}`,
    `listen_addresses = '${part.host}'`,
    "unix_socket_directories = ''",
    'max_connections = 600',
    "shared_buffers = '64MB'",
    'synchronous_commit = on',
    `synchronous_standby_names = '${synchronous ? '*' : ''}'`,
    // The primary keeps this much of its log, so that a standby that was cut off can continue from it.
    "wal_keep_size = '512MB'",
    "max_wal_size = '512MB'",
    "wal_receiver_timeout = '5s'",
    "wal_sender_timeout = '5s'",
    "wal_retrieve_retry_interval = '500ms'",
    // Keeps statements and their values out of the log, because they contain speech.
    "log_min_error_statement = 'panic'",
    "log_error_verbosity = 'terse'",
    ...(follow === undefined
      ? []
      : [
          `primary_conninfo = 'host=${host} port=${port} user=${user} password=${secrets.database} application_name=${part.name} connect_timeout=3'`,
        ]),
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  if (account) await chown(path, account.uid, account.gid);
};

/** Makes the account the owner of a folder and its content. */
export const giveAll = async (root: string, account: Account | undefined): Promise<void> => {
  if (account === undefined) return;
  for (const entry of await readdir(root, { recursive: true })) {
    await chown(join(root, entry), account.uid, account.gid);
  }
  await chown(root, account.uid, account.gid);
};

/** Creates the files of the first primary. */
export const initialisePrimary = async (
  part: Part,
  state: FleetState,
  programs: string,
  account: Account | undefined,
): Promise<void> => {
  const data = dataOf(part);
  const password = join(part.folder, 'password');
  writeFileSync(password, state.secrets.database, { mode: 0o600 });
  await giveAll(part.folder, account);
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  await run(
    join(programs, 'initdb'),
    [
      `--pgdata=${data}`,
      ...locale,
      `--username=${user}`,
      '--auth=scram-sha-256',
      `--pwfile=${password}`,
      '--no-instructions',
    ],
    {
      cwd: part.folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    },
  );
  rmSync(password);
  const access = ['host all all all scram-sha-256', 'host replication all all scram-sha-256'];
  writeFileSync(join(data, 'pg_hba.conf'), `${access.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(data, 'postgresql.conf'), "include 'fleet.conf'\n", { mode: 0o600 });
  await configure(part, state, { synchronous: false }, account);
  await giveAll(data, account);
};

/** Waits until a server answers. @param standby whether the server must be a standby. Otherwise it must take writes. */
export const untilAnswers = (state: FleetState, part: Part, standby: boolean): Promise<true> =>
  waitFor(`${part.name} is ${standby ? 'a standby' : 'the primary'}`, timeout, async () => {
    const role = await roleOf(state, part);
    return role === (standby ? 'standby' : 'primary') || undefined;
  });

/** @returns undefined if the server does not answer. */
export const roleOf = (state: FleetState, part: Part): Promise<'primary' | 'standby' | undefined> =>
  onConnection(
    ownUrl(state, part, 'postgres'),
    { name: 'fleet', timeoutMs: 1000, statementTimeoutMs: 2000 },
    async (sql) => {
      const [row] = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`;
      return row!.standby ? ('standby' as const) : ('primary' as const);
    },
  ).catch(() => undefined);

export const createDatabase = (state: FleetState, part: Part): Promise<unknown> =>
  onConnection(ownUrl(state, part, 'postgres'), { name: 'fleet' }, (sql) =>
    sql.unsafe(`create database ${databaseName}`),
  );

/** Copies a folder that changes meanwhile. Files that vanish are left out. */
const copyChanging = async (from: string, to: string, leaveOut: (path: string) => boolean): Promise<void> => {
  await mkdir(to, { mode: 0o700 });
  const vanished = (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== 'ENOENT') throw error;
  };
  for (const entry of (await readdir(from, { withFileTypes: true }).catch(vanished)) ?? []) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (leaveOut(source)) continue;
    if (entry.isDirectory()) await copyChanging(source, target, leaveOut);
    else if (entry.isFile()) {
      await copyFile(source, target).catch(vanished);
      if (existsSync(target)) chmodSync(target, 0o600);
    }
  }
};

/**
 * Makes the files of a standby: a copy of the primary's files between `pg_backup_start` and `pg_backup_stop`. Earlier
 * files of the standby are deleted.
 * @param follow address of the primary for the standby.
 */
export const copyToStandby = async (
  state: FleetState,
  primary: Part,
  standby: Part,
  follow: string,
  account: Account | undefined,
): Promise<void> => {
  const [from, to] = [dataOf(primary), dataOf(standby)];
  rmSync(to, { recursive: true, force: true });
  const wal = join(from, 'pg_wal');
  const left = new Set([
    join(from, 'postmaster.pid'),
    join(from, 'postmaster.opts'),
    join(from, 'pg_replslot'),
  ]);
  // Copying the files may take longer than the default timeout of a statement.
  const options = { name: 'fleet', statementTimeoutMs: 600_000 };
  const label = await onConnection(ownUrl(state, primary, 'postgres'), options, async (sql) => {
    await sql`select pg_backup_start('fleet', fast => true)`;
    await copyChanging(from, to, (path) => left.has(path) || path.startsWith(`${wal}/`));
    const [row] = await sql<{ labelfile: string }[]>`
      select labelfile from pg_backup_stop(wait_for_archive => false)`;
    return row!.labelfile;
  });
  await mkdir(join(to, 'pg_replslot'), { recursive: true, mode: 0o700 });
  await mkdir(join(to, 'pg_wal', 'archive_status'), { recursive: true, mode: 0o700 });
  await mkdir(join(to, 'pg_wal', 'summaries'), { recursive: true, mode: 0o700 });
  writeFileSync(join(to, 'backup_label'), label, { mode: 0o600 });
  writeFileSync(join(to, 'standby.signal'), '', { mode: 0o600 });
  await configure(standby, state, { synchronous: false, follow }, account);
  await giveAll(to, account);
};

export const hasData = (part: Part): boolean => existsSync(join(dataOf(part), 'PG_VERSION'));

/** Whether the files of a server are those of a standby. Files of a former primary must not be used again. */
export const isStandby = (part: Part): boolean => existsSync(join(dataOf(part), 'standby.signal'));

/** Sets whether commits of the primary wait for a standby. The running server reads the setting again. */
export const setSynchronous = async (
  state: FleetState,
  primary: Part,
  synchronous: boolean,
  account: Account | undefined,
): Promise<void> => {
  await configure(primary, state, { synchronous }, account);
  if (primary.process) process.kill(primary.process.pid, 'SIGHUP');
};

/**
 * Waits until the standby has all commits of the primary, and receives further ones.
 * @param sync whether commits must wait for the standby.
 */
export const untilFollows = (state: FleetState, primary: Part, sync: boolean): Promise<true> =>
  waitFor(
    `a standby follows ${primary.name}`,
    timeout,
    async () => (await standbyState(state, primary)) === (sync ? 'sync' : 'async') || undefined,
  );

/** Returns whether commits of the primary wait for its standby (`sync`) or not (`async`); undefined without a standby. */
export const standbyState = async (state: FleetState, primary: Part): Promise<'sync' | 'async' | undefined> =>
  onConnection(
    ownUrl(state, primary, 'postgres'),
    { name: 'fleet', timeoutMs: 1000, statementTimeoutMs: 2000 },
    async (sql) => {
      const [row] = await sql<{ sync_state: string }[]>`
      select sync_state from pg_stat_replication where state = 'streaming'`;
      if (!row) return undefined;
      return row.sync_state === 'async' ? ('async' as const) : ('sync' as const);
    },
  ).catch(() => undefined);

/**
 * Makes a standby take writes, without waiting for a standby of its own. The former primary must have ended. Uses only
 * files and a signal, so it works even if the network is cut.
 */
export const promoteStandby = async (
  state: FleetState,
  standby: Part,
  account: Account | undefined,
): Promise<void> => {
  const data = dataOf(standby);
  await configure(standby, state, { synchronous: false }, account);
  writeFileSync(join(data, 'promote'), '', { mode: 0o600 });
  if (account) await chown(join(data, 'promote'), account.uid, account.gid);
  process.kill(standby.process!.pid, 'SIGHUP');
  process.kill(standby.process!.pid, 'SIGUSR1');
  await waitFor(`promotion of ${standby.name}`, timeout, async () =>
    stat(join(data, 'standby.signal')).then(
      () => undefined,
      () => true as const,
    ),
  );
};
