import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { CochleaError } from '../errors/index.js';
import type { ModelFile } from './manifest/index.js';

/** Thrown if a source gave wrong bytes. The next source is then tried. */
export class WrongBytes extends Error {}

const outOfSpace = (thrown: unknown): boolean =>
  typeof thrown === 'object' &&
  thrown !== null &&
  ['ENOSPC', 'EDQUOT'].includes(String((thrown as NodeJS.ErrnoException).code));

/**
 * Writes a stream to `folder/file.name`. Writes the bytes to a `.part` file, and counts and hashes them. Then syncs the file to disk and
 * renames it. So a file with its final name is always complete and correct.
 * @param bytes called with the number of bytes received so far.
 * @throws WrongBytes if size or hash differ; CochleaError `disk_full`; any error of the stream.
 */
export const receiveFile = async (
  stream: Readable,
  file: ModelFile,
  folder: string,
  bytes: (received: number) => void = () => {},
): Promise<void> => {
  const part = join(folder, `${file.name}.${process.pid}.${Math.random().toString(36).slice(2, 8)}.part`);
  const hash = createHash('sha256');
  let received = 0;
  try {
    const handle = await open(part, 'wx', 0o644);
    try {
      for await (const piece of stream) {
        const chunk = piece as Buffer;
        received += chunk.length;
        if (received > file.bytes) throw new WrongBytes(`more than ${file.bytes} bytes`);
        hash.update(chunk);
        await handle.appendFile(chunk);
        bytes(received);
      }
      if (received !== file.bytes) throw new WrongBytes(`${received} of ${file.bytes} bytes`);
      if (hash.digest('hex') !== file.sha256) throw new WrongBytes('wrong SHA-256');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, join(folder, file.name));
  } catch (thrown) {
    stream.destroy();
    await rm(part, { force: true });
    if (outOfSpace(thrown)) throw new CochleaError('disk_full', { path: dirname(part) }, { cause: thrown });
    throw thrown;
  }
};
