import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CochleaError } from '../../errors/index.js';
import { bytesOfName } from './file-format.js';

export interface StoredFile {
  readonly name: string;
  /** Bytes that it counts. */
  readonly size: number;
}

/** Where retained audio lies: a folder, or a bucket. Methods throw the error of the file system, or CochleaError. */
export interface RetainedFiles {
  /** Names this place in the database: jobs of one place are done where it can be read. */
  readonly place: string;
  list(): Promise<StoredFile[]>;
  /** undefined when it is not there. Throws CochleaError retained_audio_unreadable when it is longer than any. */
  read(name: string): Promise<Buffer | undefined>;
  /** Resolves when the file would survive a power cut. A file of that name is replaced. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Gives a file another name. Does nothing when it is not there. */
  move(from: string, to: string): Promise<void>;
  /** Does nothing when it is not there. */
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

/** Bytes of a file that is read; none that is written here is nearly as long. */
export const longestStored = 33_554_432;

/**
 * The bytes of a file, however it came into the folder.
 * @throws CochleaError retained_audio_unreadable for one that is too long, or no file; the error of the file system.
 */
const readBounded = async (path: string, name: string): Promise<Buffer> => {
  const unreadable = (why: string): never => {
    throw new CochleaError('retained_audio_unreadable', { path: name, why });
  };
  // A named pipe would not be opened before something writes to it.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) unreadable('it is no file');
    if (found.size > longestStored) unreadable(`it has more than ${longestStored} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

const isMissing = (thrown: unknown): boolean => (thrown as NodeJS.ErrnoException).code === 'ENOENT';

/** Retained audio in a folder of this machine. Only the user of the process can read its files. */
export const retainedFolder = (directory: string): RetainedFiles => ({
  place: directory,
  list: async () => {
    const names = await readdir(directory).catch((thrown: unknown) => {
      if (isMissing(thrown)) return [];
      throw thrown;
    });
    const files: StoredFile[] = [];
    for (const name of names) {
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
  // Not written anew: an operator's command may run as another user than the service.
  move: async (from, to) => {
    await rename(join(directory, from), join(directory, to)).catch((thrown: unknown) => {
      if (!isMissing(thrown)) throw thrown;
    });
  },
  remove: (name) => rm(join(directory, name), { force: true }),
});
