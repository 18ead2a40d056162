import { readFileSync } from 'node:fs';
import { CochleaError, reasonOf } from '../errors/index.js';

/**
 * Returns the key of a service: the value of one setting, or the content of the file whose path is in another setting.
 * The file may end with a line break.
 * @throws CochleaError `file_unreadable`
 */
export const readKey = (key: string, path: string): string => {
  if (path === '') return key;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CochleaError('file_unreadable', { path, why: reasonOf(error) }, { cause: error });
  }
};
