import { chmod, chown, lstat, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../../log/index.js';
import type { Account } from '../privileges/index.js';
import { ensureReachable, startFailed } from './binaries.js';

/** Files that this process writes in the folder of the database, apart from the password. */
const written = ['port', 'owner', 'server.log', 'server.log.1'] as const;

/**
 * Makes the folder of the database. Started by root, the folder and everything in it belongs to root, except the server's own
 * files in `data`. Engine, sidecar and transcriber run as the same account as the server. If that account could change the
 * folder, an attacker who took over one of them could put links there, which root would follow when it starts the server again.
 *
 * Where the folder above belongs to another user than root, that user can do so anyway: it is said, and the folder is given to
 * the account, so that a later start as that user finds it in order.
 * @throws CochleaError `database_start_failed` when the folder, the data or the password is a link of another user.
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
    log.warn({ user: above.uid, remedy }, 'root trusts what another user may change in the data folder');
    await chown(folder, account.uid, account.gid);
    return;
  }
  await refuseLink(folder);
  await chown(folder, 0, 0);
  await chmod(folder, 0o755);
  // From here on only root changes entries. Those that are there may be from a release that gave the folder to the account.
  await refuseLink(join(folder, 'data'));
  const password = join(folder, 'password');
  if (!(await isPlain(password)))
    throw startFailed(`${password} is not a plain file`, 'Restore it from a backup.');
  for (const name of written) {
    const path = join(folder, name);
    if (!(await isPlain(path))) await rm(path);
  }
};

/** Whether a path holds nothing, or a file that is reached by this name alone. */
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
