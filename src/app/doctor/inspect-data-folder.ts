import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import { findPostgresPackage, requireReachable } from '../postgres/index.js';
import { namedAccount } from '../privileges/index.js';

/** Number of free bytes that a first start needs for models, database files and a small spill. */
const neededSpace = 1_073_741_824;

/** A data folder to inspect. Inspection creates and changes nothing. */
export interface DataFolder {
  readonly path: string;
  /** The folder itself, or its nearest existing parent. */
  readonly existing: string;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Finds the existing part of a data folder's path. @throws CochleaError `setting_invalid`. */
export const findDataFolder = async (path: string): Promise<DataFolder> => {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      if ((await stat(existing)).isDirectory()) return { path, existing };
      throw new Error(`${existing} is not a folder`);
    } catch (error) {
      if (isMissing(error) && existing !== dirname(existing)) continue;
      throw unusable(`${path} cannot be used (${reasonOf(error)})`, error);
    }
  }
};

/**
 * Describes the data folder. The user of this process must be able to write to the folder, or to create it.
 * @throws CochleaError `setting_invalid`.
 */
export const describeDataFolder = async ({ path, existing }: DataFolder): Promise<string> => {
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    const action = path === existing ? 'written' : 'made';
    throw unusable(`${path} cannot be ${action} (${reasonOf(error)})`, error);
  }
  return path === existing ? `${path}, writable` : `${path} does not exist yet; the first start makes it`;
};

/** Describes the free space on the folder's file system. @throws CochleaError `disk_full`. */
export const describeFreeSpace = async ({ path, existing }: DataFolder): Promise<string> => {
  const { bavail, bsize } = await statfs(existing);
  if (bavail * bsize < neededSpace) throw new CochleaError('disk_full', { path });
  return `${((bavail * bsize) / 1e9).toFixed(1)} GB free at ${existing}`;
};

/**
 * Describes the embedded database that a first start would create in the folder.
 * @throws CochleaError `database_start_failed` if it is not installed or its account could not reach the folder.
 */
export const describeFutureDatabase = async ({ path, existing }: DataFolder): Promise<string> => {
  const { version } = await findPostgresPackage();
  if (process.getuid?.() === 0 && existing !== path) {
    // The first start creates the account. Until then, the check uses the rights of a user who owns no files.
    const future = { name: 'cochlea', uid: -1, gid: -1 };
    await requireReachable(existing, await namedAccount('cochlea').catch(() => future));
  }
  return `embedded PostgreSQL ${version}, not there yet; the first start makes it in ${path}`;
};

const unusable = (why: string, cause: unknown): CochleaError =>
  new CochleaError('setting_invalid', { name: settings.dataDir.env, why }, { cause });
