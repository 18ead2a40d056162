import { randomUUID } from 'node:crypto';
import type { PhotoFiles } from './photo-files.js';
import { type PhotoType, photoTypeOf } from './photo-type.js';

/** A photo whose file is written. */
export interface KeptPhoto {
  readonly id: string;
  readonly place: string;
  readonly file: string;
  readonly contentType: PhotoType;
  readonly bytes: number;
}

/** Why an image was not kept: it is none, it is larger than an image may be, or it could not be written just now. */
export type PhotoRefusal = 'image_invalid' | 'image_too_large' | 'try_again';

export type Keeping = { readonly photo: KeptPhoto } | { readonly refusal: PhotoRefusal };

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/** @returns undefined for what is not base64 (RFC 4648, section 4; padding may be left out). */
const decoded = (parts: readonly Uint8Array[]): Buffer | undefined => {
  const text = Buffer.concat(parts).toString('latin1');
  return alphabet.test(text) ? Buffer.from(text, 'base64') : undefined;
};

/**
 * Decodes an image and writes it, if its first bytes are those of an image.
 * @param parts base64, in the order of the chunks; the whole of them is one text of base64.
 * @param most bytes of an image.
 * @throws what the place of the files throws.
 */
export const keepPhoto = async (
  files: PhotoFiles,
  uid: string,
  parts: readonly Uint8Array[],
  most: number,
): Promise<Keeping> => {
  const bytes = decoded(parts);
  const contentType = bytes && photoTypeOf(bytes);
  if (bytes === undefined || !contentType) return { refusal: 'image_invalid' };
  if (bytes.length > most) return { refusal: 'image_too_large' };
  const id = randomUUID();
  const file = await files.write({ id, uid, at: Date.now() }, bytes);
  return { photo: { id, place: files.place, file, contentType, bytes: bytes.length } };
};
