import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import {
  type BucketSettings,
  type RetainedFiles,
  retainedBucket,
  retainedCipher,
  retainedFolder,
} from '../stt/storage/index.js';
import { parsePhotoName, photoName } from './photo-name.js';

export type PhotoSettings = BucketSettings & Pick<Settings, 'retainedKey' | 'retainedKeyFile' | 'dataDir'>;

/** The files of photos. They lie where retained audio does and are encrypted with the same key. Methods throw what the place throws. */
export interface PhotoFiles {
  /** Names where the files lie, in the database. */
  readonly place: string;
  /**
   * Resolves when the file would survive a power cut.
   * @param at ms since the epoch.
   * @returns the name of the file.
   */
  write(
    photo: { readonly id: string; readonly uid: string; readonly at: number },
    bytes: Uint8Array,
  ): Promise<string>;
  /**
   * @returns undefined when it is not there.
   * @throws CochleaError photo_unreadable when it is damaged, or encrypted with another key.
   */
  read(name: string): Promise<Buffer | undefined>;
  /** Does nothing when it is not there. */
  remove(name: string): Promise<void>;
  /** Names of all photos. */
  list(): Promise<string[]>;
}

/** Folder below the data folder, and below the bucket of retained audio. */
const folderName = 'photos';

/**
 * Opens the files of photos: in the bucket of retained audio where one is set, else in the data folder.
 * @throws CochleaError setting_invalid for a key that is none.
 */
export const openPhotoFiles = async (settings: PhotoSettings): Promise<PhotoFiles> => {
  const cipher = await retainedCipher(settings);
  const folder = join(settings.dataDir, folderName);
  const bucket = settings.retainedBucket.replace(/\/+$/, '');
  const files: RetainedFiles =
    bucket === ''
      ? retainedFolder(folder)
      : retainedBucket({ ...settings, retainedBucket: `${bucket}/${folderName}` });
  return {
    // Folders of two machines may have the same path.
    place: bucket === '' ? `${hostname()}:${folder}` : files.place,
    write: async ({ id, uid, at }, bytes) => {
      const name = photoName({ at, id, sealed: cipher !== undefined }, uid);
      await files.write(name, cipher === undefined ? bytes : cipher.seal(bytes, name));
      return name;
    },
    read: async (name) => {
      const parsed = parsePhotoName(name);
      const bytes = parsed && (await files.read(name));
      if (bytes === undefined || !parsed!.sealed) return bytes;
      try {
        if (cipher === undefined) throw new Error('no key is set');
        return cipher.open(bytes, name);
      } catch (thrown) {
        throw new CochleaError('photo_unreadable', {}, { cause: thrown });
      }
    },
    remove: (name) => files.remove(name),
    list: async () =>
      (await files.list()).map(({ name }) => name).filter((name) => parsePhotoName(name) !== undefined),
  };
};
