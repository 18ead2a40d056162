import { yieldThread } from '../../config/process/index.js';
import {
  type Keeping,
  keepPhoto,
  openPhotoFiles,
  type PhotoFiles,
  type PhotoSettings,
} from '../../photos/index.js';

export interface KeepTask {
  readonly settings: PhotoSettings;
  readonly uid: string;
  /** Base64 of the image in parts, in order. */
  readonly parts: readonly Uint8Array[];
  /** Maximum size of an image, in bytes. */
  readonly limit: number;
}

export interface RemoveTask {
  readonly settings: PhotoSettings;
  readonly file: string;
}

/** Store of image files; the thread's first task opens it. */
let files: Promise<PhotoFiles> | undefined;

const open = (settings: PhotoSettings): Promise<PhotoFiles> => {
  if (files === undefined) {
    // Lowers the priority of this thread, because speech has priority over images.
    yieldThread();
    files = openPhotoFiles(settings);
  }
  return files;
};

/** Writes an image. Runs as a piscina task. */
export const keepImage = async ({ settings, uid, parts, limit }: KeepTask): Promise<Keeping> =>
  keepPhoto(await open(settings), uid, parts, limit);

/** Removes the file of an image. Runs as a piscina task. */
export const removeImage = async ({ settings, file }: RemoveTask): Promise<void> =>
  (await open(settings)).remove(file);
