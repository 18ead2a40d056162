import { CochleaError } from '../../errors/index.js';

/**
 * Refuses a stored file.
 * @param path the file, named in the error.
 * @throws CochleaError retained_audio_unreadable, always.
 */
export const unreadable = (path: string, why: string, options?: ErrorOptions): never => {
  throw new CochleaError('retained_audio_unreadable', { path, why }, options);
};
