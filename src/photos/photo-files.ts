import { join } from 'node:path';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import {
  type BucketSettings,
  bucketFiles,
  placeOfFolder,
  type RetainedFiles,
  retainedCipher,
  retainedFolder,
} from '../stt/storage/index.js';
import { parsePhotoName, photoName } from './photo-name.js';

export type PhotoSettings = BucketSettings & Pick<Settings, 'retainedKey' | 'retainedKeyFile' | 'dataDir'>;

/**
 * The files of photos. Their location and their encryption key are those of retained audio. Methods throw the errors of
 * the storage.
 */
export interface PhotoFiles {
  /** Name of this storage. The database stores the name with each photo. */
  readonly place: string;
  /**
   * Writes a file. Resolves when the file would survive a power failure.
   * @param photo `at` is the time in ms since the epoch.
   * @returns the name of the file.
   */
  write(
    photo: { readonly id: string; readonly uid: string; readonly at: number },
    bytes: Uint8Array,
  ): Promise<string>;
  /**
   * Reads a file.
   * @returns undefined if the file is missing.
   * @throws CochleaError photo_unreadable if the file is damaged, or encrypted with another key.
   */
  read(name: string): Promise<Buffer | undefined>;
  /** Deletes a file. Does nothing if the file is missing. */
  remove(name: string): Promise<void>;
  /** Returns the names of the files of all photos. */
  list(): Promise<string[]>;
  /**
   * Moves photos that were written before the bucket was set from the data folder to the bucket. Does nothing without a
   * bucket.
   * @param moved called when a photo is in the bucket, before its file in the data folder is removed.
   * @returns the number of moved photos.
   */
  moveEarlier(moved: (name: string) => Promise<void>): Promise<number>;
}

/** Name of the photos' folder inside the data folder or inside the bucket of retained audio. */
const folderName = 'photos';

const photosIn = async (files: RetainedFiles): Promise<string[]> =>
  (await files.list()).map(({ name }) => name).filter((name) => parsePhotoName(name) !== undefined);

const movePhotos = async (
  from: RetainedFiles,
  to: RetainedFiles,
  moved: (name: string) => Promise<void>,
): Promise<number> => {
  const names = await photosIn(from);
  for (const name of names) {
    const bytes = await from.read(name);
    if (bytes === undefined) continue;
    await to.write(name, bytes);
    await moved(name);
    await from.remove(name);
  }
  return names.length;
};

/**
 * Opens the storage of photos: the bucket of retained audio if one is set, otherwise the data folder.
 * @throws CochleaError setting_invalid for an invalid key.
 */
export const openPhotoFiles = async (settings: PhotoSettings): Promise<PhotoFiles> => {
  const cipher = await retainedCipher(settings);
  const folder = join(settings.dataDir, folderName);
  const isBucket = settings.bucketUrl !== '';
  const files: RetainedFiles = isBucket ? bucketFiles(settings, folderName) : retainedFolder(folder);
  return {
    place: isBucket ? files.place : await placeOfFolder(folder),
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
    list: () => photosIn(files),
    moveEarlier: async (moved) => (isBucket ? movePhotos(retainedFolder(folder), files, moved) : 0),
  };
};
