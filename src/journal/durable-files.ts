import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Syncs a folder, so that created, renamed and removed files do not change back after a power cut. Syncing a file only
 * saves its content, not its name in the folder.
 * @throws the file system's error.
 */
export const syncFolder = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Makes a folder and its missing parents, and syncs them, so that they survive a power cut. Does nothing if the folder
 * exists.
 * @param mode permissions of the created folders.
 * @throws the file system's error.
 */
export const makeDurableFolder = (path: string, mode: number): void => {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let folder = path; ; folder = dirname(folder)) {
    syncFolder(dirname(folder));
    if (folder === first || folder === dirname(folder)) return;
  }
};

/**
 * Writes a file completely or not at all. Writes and syncs a temporary file in the same folder, renames this file, and
 * syncs the folder.
 * @param mode permissions of the file. By default only its owner may read it.
 * @throws the file system's error.
 */
export const writeDurableFile = async (
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> => {
  const part = `${path}.${process.pid}.part`;
  const file = await open(part, 'w', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  syncFolder(dirname(path));
};
