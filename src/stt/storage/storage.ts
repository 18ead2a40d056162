import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOfName } from './file-format.js';
import { placeFile } from './folder-place.js';
import { unreadable } from './unreadable.js';

export interface StoredFile {
  readonly name: string;
  /** Number of bytes that the file counts for in the storage limits. */
  readonly size: number;
  /** Time at which a file of a bucket was written, ms since the epoch, by the clock of the bucket's server. */
  readonly writtenAt?: number;
}

/** Access to retained audio in a folder or a bucket. Methods throw the error of the file system, or CochleaError. */
export interface RetainedFiles {
  /** Name by which the database knows this storage. A job runs on a machine that can read the job's storage. */
  readonly place: string;
  list(): Promise<StoredFile[]>;
  /**
   * Reads a file. @returns undefined if it does not exist. @throws CochleaError retained_audio_unreadable when it
   * is too long.
   */
  read(name: string): Promise<Buffer | undefined>;
  /** Writes a file, and replaces an existing file with this name. Resolves when the file would survive a power cut. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Renames a file. Does nothing if it does not exist. */
  move(from: string, to: string): Promise<void>;
  /** Removes a file. Does nothing if it does not exist. */
  remove(name: string): Promise<void>;
}

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeDurably = async (path: string, bytes: Uint8Array): Promise<void> => {
  const part = `${path}.part`;
  try {
    const handle = await open(part, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, path);
  } catch (thrown) {
    await rm(part, { force: true }).catch(() => undefined);
    throw thrown;
  }
};

/** Maximum size in bytes of a file that is read. Files written by this program are much shorter. */
export const longestStored = 33_554_432;

/**
 * Reads a file of the folder. Any process may have put it there, so its type and size are checked first.
 * @throws CochleaError retained_audio_unreadable when it is too long or not a regular file; the error of the file
 * system.
 */
const readBounded = async (path: string, name: string): Promise<Buffer> => {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) unreadable(name, 'it is not a regular file');
    if (found.size > longestStored) unreadable(name, `it has more than ${longestStored} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

const isMissing = (thrown: unknown): boolean => (thrown as NodeJS.ErrnoException).code === 'ENOENT';

/** Returns access to retained audio in a folder of this machine. Only the user of the process can read its files. */
export const retainedFolder = (directory: string): RetainedFiles => ({
  place: directory,
  list: async () => {
    const names = await readdir(directory).catch((thrown: unknown) => {
      if (isMissing(thrown)) return [];
      throw thrown;
    });
    const files: StoredFile[] = [];
    for (const name of names) {
      if (name === placeFile || name.startsWith(`${placeFile}-`)) continue;
      const size = bytesOfName(name) ?? (await stat(join(directory, name)).catch(() => undefined))?.size;
      if (size !== undefined) files.push({ name, size });
    }
    return files;
  },
  read: async (name) => {
    try {
      return await readBounded(join(directory, name), name);
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      throw thrown;
    }
  },
  write: async (name, bytes) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeDurably(join(directory, name), bytes);
    await syncDirectory(directory);
  },
  // Renames the file instead of writing a new one, because an operator's command may run as another user than the
  // service.
  move: async (from, to) => {
    await rename(join(directory, from), join(directory, to)).catch((thrown: unknown) => {
      if (!isMissing(thrown)) throw thrown;
    });
  },
  remove: (name) => rm(join(directory, name), { force: true }),
});
