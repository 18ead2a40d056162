import { ownerOf, parseRetainedKey, parseRetainedName, type RetainedFiles } from '../storage/index.js';

/** The owners of retained audio, as its file names have them, of users who are known by the SHA-256 of their ids. */
export const ownersOf = (userHashes: readonly string[]): Set<string> =>
  new Set(userHashes.map((hash) => hash.slice(0, ownerOf('').length)));

/**
 * Removes the retained audio of some users: audio, descriptions, and what a process that died has left unfinished.
 * @returns how many files were removed.
 * @throws what the place throws; what was removed before is gone.
 */
export const removeRetained = async (files: RetainedFiles, owners: ReadonlySet<string>): Promise<number> => {
  let removed = 0;
  for (const { name } of await files.list()) {
    const parsed = parseRetainedName(name);
    const owner = parsed && parseRetainedKey(parsed.key)?.owner;
    if (owner === undefined || !owners.has(owner)) continue;
    await files.remove(name);
    removed++;
  }
  return removed;
};
