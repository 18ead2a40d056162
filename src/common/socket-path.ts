import { randomBytes } from 'node:crypto';
import { open, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Maximum number of bytes in the path of a Unix socket on macOS. Linux accepts 107. */
const longestAddress = 103;

/**
 * Runs work with a path to a file in the folder. The path is short enough for a socket address.
 *
 * On Linux the path uses a descriptor of the folder. Elsewhere a path that would be too long uses a temporary symbolic
 * link.
 * @param platform differs from the system's platform only in tests
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
