import { readFileSync } from 'node:fs';
import { CochleaError, reasonOf } from '../errors/index.js';

/**
 * Returns the key of a service: the setting itself, or the content of the file that another setting names. The file may
 * end with a line break.
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
