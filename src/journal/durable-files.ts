import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the names in a folder survive a power cut: syncing a file saves its content but not its name in the folder.
 * @throws what the file system throws.
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
 * Makes a folder and its missing parents so that they survive a power cut. Does nothing when the folder exists.
 * @param mode permissions of the folders made here.
 * @throws what the file system throws.
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
 * Writes a file completely or not at all: a temporary file beside it is written and synced, then renamed, and the folder
 * is synced.
 * @param mode permissions of the file; readable by its owner only when absent.
 * @throws what the file system throws.
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
