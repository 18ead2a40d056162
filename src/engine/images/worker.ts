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
  /** Base64 of the image, in order. */
  readonly parts: readonly Uint8Array[];
  /** Most bytes of an image. */
  readonly limit: number;
}

export interface RemoveTask {
  readonly settings: PhotoSettings;
  readonly file: string;
}

/** Opened by the thread's first task. */
let files: Promise<PhotoFiles> | undefined;

const open = (settings: PhotoSettings): Promise<PhotoFiles> => {
  if (files === undefined) {
    // Speech has priority over images.
    yieldThread();
    files = openPhotoFiles(settings);
  }
  return files;
};

/** A piscina task: writes an image. */
export const keepImage = async ({ settings, uid, parts, limit }: KeepTask): Promise<Keeping> =>
  keepPhoto(await open(settings), uid, parts, limit);

/** A piscina task: removes the file of an image. */
export const removeImage = async ({ settings, file }: RemoveTask): Promise<void> =>
  (await open(settings)).remove(file);
