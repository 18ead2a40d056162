import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSeed, publicKeyOf } from '../../bus/nats/index.js';
import type { BusRole } from '../../bus/subjects/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';

/**
 * Opens the file `ROLE-NAME.seed` with credentials of the bus, and creates the file if it is missing.
 * @returns the public key.
 * @throws CochleaError `file_unreadable`
 */
export const openSeed = async (folder: string, role: BusRole, name: string): Promise<string> => {
  const path = join(folder, `${role}-${name}.seed`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const made = makeSeed();
    // An existing file is never replaced, because the NATS servers already accept its public key.
    const known = await writeFile(path, `${made}\n`, { flag: 'wx', mode: 0o600 }).then(
      () => made,
      () => readFile(path, 'utf8'),
    );
    return publicKeyOf(known);
  } catch (thrown) {
    throw new CochleaError('file_unreadable', { path, why: reasonOf(thrown) }, { cause: thrown });
  }
};
