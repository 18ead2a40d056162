import { randomBytes } from 'node:crypto';
import { open, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Bytes of the longest path that macOS takes as the address of a Unix socket. Linux takes 107. */
const longestAddress = 103;

/**
 * Runs work with a path to a file of the folder that is short enough for a socket address. On Linux the path goes through a
 * descriptor of the folder, elsewhere, where it would be too long, through a symbolic link that is removed afterwards.
 * @param platform another one only in tests
 */
export const withShortPath = async <Result>(
  folder: string,
  file: string,
  work: (path: string) => Promise<Result>,
  platform: NodeJS.Platform = process.platform,
): Promise<Result> => {
  if (platform === 'linux') {
    const opened = await open(folder);
    try {
      return await work(`/proc/self/fd/${opened.fd}/${file}`);
    } finally {
      await opened.close();
    }
  }
  const path = resolve(folder, file);
  if (Buffer.byteLength(path) <= longestAddress) return work(path);
  const short = join('/tmp', `cochlea-${randomBytes(8).toString('hex')}`);
  await symlink(resolve(folder), short);
  try {
    return await work(join(short, file));
  } finally {
    await rm(short, { force: true });
  }
};
