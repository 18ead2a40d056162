import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the names in a folder survive a power cut: syncing a file keeps its content, not that it exists.
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
 * Makes a folder, its parents with it, so that a power cut takes none of them back. A folder that exists costs nothing.
 * @param mode of the folders made here.
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
 * Writes a file whole or not at all: beside its place, synced, then renamed, with the folder synced.
 * @param mode of the file; only its owner may read it when absent.
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
