import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRetainedKey, parseRetainedName } from './file-format.js';

/**
 * Minimum age in ms of an unfinished file that no process is still writing. A write takes a moment, or minutes on a
 * very slow disk.
 */
const longestWrite = 3_600_000;

/**
 * Removes unfinished files that killed processes have left in a folder of retained audio. They are incomplete, and
 * they take space that counts against the limits.
 * @param now ms since the epoch.
 * @returns the number of removed files.
 * @throws the error of the file system.
 */
export const removeUnfinished = async (directory: string, now: number): Promise<number> => {
  let removed = 0;
  for (const name of await readdir(directory)) {
    const parsed = parseRetainedName(name);
    if (parsed?.state !== 'part' || parseRetainedKey(parsed.key) === undefined) continue;
    const path = join(directory, name);
    // Skips a file that another engine with the same folder has already removed.
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || !found.isFile() || found.mtimeMs > now - longestWrite) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
};
