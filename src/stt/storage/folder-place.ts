import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the file in a folder that stores the name of the folder. */
export const placeFile = 'place';

/**
 * Returns the name by which the database knows a folder. A file in the folder stores this name. The name of the host or
 * container, and the path of the folder, do not serve as the name, because they may change at the next start. Creates
 * folder and file if they are missing. Only the user of this process can access a created folder.
 * @throws the error of the file system.
 */
export const placeOfFolder = async (directory: string): Promise<string> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, placeFile);
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known !== '') return known;
  const made = `${path}-${randomUUID()}`;
  await writeFile(made, randomUUID(), { mode: 0o600, flush: true });
  // `link` makes the complete file appear at once. If another process was faster, its file stays.
  await link(made, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(made);
  return readFile(path, 'utf8');
};
