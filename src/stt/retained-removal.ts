import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownerOf, parseRetainedKey } from './retained-file.js';

/** The owners of retained audio, as its file names have them, of users who are known by the SHA-256 of their ids. */
export const ownersOf = (userHashes: readonly string[]): Set<string> =>
  new Set(userHashes.map((hash) => hash.slice(0, ownerOf('').length)));

/**
 * Removes the retained audio of some users from a folder: audio, descriptions, and what a process that died has left unfinished.
 * @returns how many files were removed.
 * @throws the error of the file system; what was removed before is gone.
 */
export const removeRetained = async (directory: string, owners: ReadonlySet<string>): Promise<number> => {
  const names = await readdir(directory).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return [];
    throw thrown;
  });
  let removed = 0;
  for (const name of names) {
    const key = /^(.*)\.(wav|json)(\.part)?$/.exec(name)?.[1];
    const owner = key === undefined ? undefined : parseRetainedKey(key)?.owner;
    if (owner === undefined || !owners.has(owner)) continue;
    await rm(join(directory, name), { force: true });
    removed++;
  }
  return removed;
};
