import { access, constants, mkdir } from 'node:fs/promises';
import { settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';

/**
 * Creates the data folder if it does not exist.
 * @throws CochleaError `disk_full`; `setting_invalid` with the name of the folder's setting if the folder is not writable.
 */
export const makeDataDirectory = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new CochleaError('disk_full', { path }, { cause: error });
    const why = `${path} cannot be written (${reasonOf(error)})`;
    throw new CochleaError('setting_invalid', { name: settings.dataDir.env, why }, { cause: error });
  }
};
