import { chmod, chown, lstat, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../../log/index.js';
import type { Account } from '../privileges/index.js';
import { ensureReachable, startFailed } from './binaries.js';

/** Files that this process writes into the database folder, except the password. */
const written = ['port', 'owner', 'server.log', 'server.log.1'] as const;

/**
 * Creates the database folder. If this process runs as root, root owns the folder and everything in it, except the
 * server's own files in `data`.
 *
 * Engine, sidecar and transcriber run as the server's account. An attacker who controls one of these processes could
 * create links in a folder of that account. Root would follow these links at the next start.
 *
 * If a user other than root owns the parent folder, that user can create links anyway. In that case a log line reports
 * this. The folder is also given to the account, so that this user can start the server later.
 * @throws CochleaError `database_start_failed` if the folder, the data or the password is a link of another user.
 */
export const prepareFolder = async (
  folder: string,
  account: Account | undefined,
  log: Logger,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  if (account === undefined) return;
  await ensureReachable(folder, account);
  const above = await stat(dirname(folder));
  if (above.uid !== 0) {
    const remedy = 'start as that user, or give the folder to root';
    log.warn({ user: above.uid, remedy }, 'another user may change files in the data folder that root uses');
    await chown(folder, account.uid, account.gid);
    return;
  }
  await refuseLink(folder);
  await chown(folder, 0, 0);
  await chmod(folder, 0o755);
  // From here on, only root can change the entries of the folder. An earlier release may have given the folder to the
  // account, so the entries are checked for links.
  await refuseLink(join(folder, 'data'));
  const password = join(folder, 'password');
  if (!(await isPlain(password)))
    throw startFailed(`${password} is not a plain file`, 'Restore it from a backup.');
  for (const name of written) {
    const path = join(folder, name);
    if (!(await isPlain(path))) await rm(path);
  }
};

/** Checks whether a path is absent, or is a file without other hard links. */
const isPlain = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined || (found.isFile() && found.nlink === 1);
};

const refuseLink = async (path: string): Promise<void> => {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink() && found.uid !== 0) {
    throw startFailed(`${path} is a link of user ${found.uid}`, 'Put the folder itself in its place.');
  }
};
