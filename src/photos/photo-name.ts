import { ownerOf } from '../stt/storage/index.js';

/** The data in the file name of a photo. */
export interface PhotoName {
  /** Time in ms since the epoch at which the file was written. */
  readonly at: number;
  readonly id: string;
  /** Whether the file is encrypted. */
  readonly sealed: boolean;
}

const shape =
  /^(\d{13})_[\da-f]{16}_([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.photo(\.aes)?$/;

/** Returns the file name of a photo. The name contains a hash of the user's id. */
export const photoName = ({ at, id, sealed }: PhotoName, uid: string): string =>
  `${at}_${ownerOf(uid)}_${id}.photo${sealed ? '.aes' : ''}`;

/** Parses the name of a photo's file; undefined for other files. */
export const parsePhotoName = (name: string): PhotoName | undefined => {
  const parts = shape.exec(name);
  if (parts === null) return undefined;
  return { at: Number(parts[1]), id: parts[2]!, sealed: parts[3] !== undefined };
};
