import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRetainedKey, parseRetainedName } from './file-format.js';

/** Ms after which no process writes a file any more: it takes a moment, on a disk that hardly answers minutes. */
const longestWrite = 3_600_000;

/**
 * Removes what processes that were killed have left in a folder of retained audio: files that were being written. They are not complete
 * under any name, and take space that is counted.
 * @param now ms since the epoch.
 * @returns how many were removed.
 * @throws the error of the file system.
 */
export const removeUnfinished = async (directory: string, now: number): Promise<number> => {
  let removed = 0;
  for (const name of await readdir(directory)) {
    const parsed = parseRetainedName(name);
    if (parsed?.state !== 'part' || parseRetainedKey(parsed.key) === undefined) continue;
    const path = join(directory, name);
    // Another engine of this folder may be faster.
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || !found.isFile() || found.mtimeMs > now - longestWrite) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
};
