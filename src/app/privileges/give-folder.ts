import { execFile } from 'node:child_process';
import { chown, lchown, lstat, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './accounts.js';

const run = promisify(execFile);

/**
 * Makes an account the owner of a folder and its content, deepest entries first. In the opposite order, the account
 * could create links in the folder before root has finished, and root would follow these links.
 */
export const giveTo = async (root: string, account: Account): Promise<void> => {
  // Node lists a folder before its content.
  for (const entry of (await readdir(root, { recursive: true })).reverse()) {
    await lchown(join(root, entry), account.uid, account.gid);
  }
  await chown(root, account.uid, account.gid);
};

/**
 * Creates a folder if necessary, and makes an account the owner of the folder and its content. Changes nothing if the
 * account already owns the folder.
 * @throws Error if the folder is a link created by a user other than root.
 */
export const giveFolder = async (path: string, account: Account): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (found.isSymbolicLink() && found.uid !== 0) throw new Error(`${path} is a link of user ${found.uid}`);
  // The account owns the folder and may have put links into it. Root would follow these links and change other files.
  if ((await stat(path)).uid === account.uid) return;
  await giveTo(path, account);
};

/**
 * Removes a folder, if present, with content that an account may change. A child process that runs as the account
 * removes the content. If root removed it, the account could replace a folder by a link that root follows.
 */
export const removeAs = async (account: Account | undefined, path: string): Promise<void> => {
  if (account === undefined) {
    await rm(path, { recursive: true, force: true });
    return;
  }
  // The child empties the folder but cannot remove the folder itself, because its parent belongs to root.
  const { uid, gid } = account;
  await run('rm', ['-rf', '--', path], { uid, gid, cwd: '/' }).catch(() => undefined);
  await rmdir(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'ENOENT') throw thrown;
  });
};
