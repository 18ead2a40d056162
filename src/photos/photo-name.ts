import { ownerOf } from '../stt/storage/index.js';

/** What the name of the file of a photo says. */
export interface PhotoName {
  /** Ms since the epoch at which it was written. */
  readonly at: number;
  readonly id: string;
  /** Whether it is encrypted. */
  readonly sealed: boolean;
}

const shape =
  /^(\d{13})_[\da-f]{16}_([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.photo(\.aes)?$/;

/** The name under which a photo is stored; it names its user by a hash. */
export const photoName = ({ at, id, sealed }: PhotoName, uid: string): string =>
  `${at}_${ownerOf(uid)}_${id}.photo${sealed ? '.aes' : ''}`;

/** Reads the name of a file; undefined when it is no photo. */
export const parsePhotoName = (name: string): PhotoName | undefined => {
  const parts = shape.exec(name);
  if (parts === null) return undefined;
  return { at: Number(parts[1]), id: parts[2]!, sealed: parts[3] !== undefined };
};
