import { execFile } from 'node:child_process';
import { chown, lchown, lstat, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './accounts.js';

const run = promisify(execFile);

/**
 * Makes an account the owner of a folder and its content. The content comes first, the deepest entries before the folders
 * they are in: once the account owns a folder it could put links there, which root would follow.
 */
export const giveTo = async (root: string, account: Account): Promise<void> => {
  // A folder is listed before its content.
  for (const entry of (await readdir(root, { recursive: true })).reverse()) {
    await lchown(join(root, entry), account.uid, account.gid);
  }
  await chown(root, account.uid, account.gid);
};

/**
 * Makes a folder, if it does not exist, and gives it to an account, unless the account owns it already.
 * @throws Error when the folder is a link that a user other than root has made.
 */
export const giveFolder = async (path: string, account: Account): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (found.isSymbolicLink() && found.uid !== 0) throw new Error(`${path} is a link of user ${found.uid}`);
  // The content of a folder that the account owns is not trusted: links in it could make root change other files.
  if ((await stat(path)).uid === account.uid) return;
  await giveTo(path, account);
};

/**
 * Removes a folder, if it is there, whose content an account may change. The content is removed as that account, because root
 * would follow links that replace a folder meanwhile.
 */
export const removeAs = async (account: Account | undefined, path: string): Promise<void> => {
  if (account === undefined) {
    await rm(path, { recursive: true, force: true });
    return;
  }
  // It empties the folder and fails at the folder itself, which lies in one of root's.
  const { uid, gid } = account;
  await run('rm', ['-rf', '--', path], { uid, gid, cwd: '/' }).catch(() => undefined);
  await rmdir(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'ENOENT') throw thrown;
  });
};
