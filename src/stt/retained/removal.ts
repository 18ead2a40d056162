import { ownerOf, parseRetainedKey, parseRetainedName, type RetainedFiles } from '../storage/index.js';

/** Converts SHA-256 hashes of user ids to the owner part of retained file names. */
export const ownersOf = (userHashes: readonly string[]): Set<string> =>
  new Set(userHashes.map((hash) => hash.slice(0, ownerOf('').length)));

/**
 * Removes the retained audio of some users: audio, descriptions, and unfinished files of dead processes.
 * @returns the number of removed files.
 * @throws errors of the storage. Files removed before the error stay removed.
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
