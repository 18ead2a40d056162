import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../index.js';

/**
 * Returns the folder with `package.json`: the checkout or the installed package.
 * @throws Error if this file is outside any package. Only a broken installation causes this.
 */
export const packageDirectory = (): string => {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory)
      throw new Error('cochlea is not installed as a package: no package.json above it');
    directory = parent;
  }
  return directory;
};

/**
 * Returns the folder of the embedded database, the spill, retained audio and models. Does not create the folder.
 *
 * The folder is `COCHLEA_DATA_DIR` if set, otherwise `.cochlea` in the checkout. Root gets a folder below
 * `/var/lib/cochlea` instead, one for each checkout. For root, the embedded database runs as a different user, who
 * cannot read a checkout in a private home folder.
 * @param uid effective user id of the process; absent on systems without user ids.
 */
export const dataDirectory = (
  settings: Pick<Settings, 'dataDir'>,
  uid: number | undefined = process.geteuid?.(),
): string => {
  if (settings.dataDir !== '') return resolve(settings.dataDir);
  const checkout = packageDirectory();
  if (uid !== 0) return join(checkout, '.cochlea');
  const name = createHash('sha256').update(checkout).digest('hex').slice(0, 12);
  return join('/var/lib/cochlea', name);
};
