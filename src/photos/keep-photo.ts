import { randomUUID } from 'node:crypto';
import type { PhotoFiles } from './photo-files.js';
import { type PhotoType, photoTypeOf } from './photo-type.js';

/** A photo whose file has been written. */
export interface KeptPhoto {
  readonly id: string;
  readonly place: string;
  readonly file: string;
  readonly contentType: PhotoType;
  readonly bytes: number;
}

/** Reason why a photo was not stored: it is not an image, it is too large, or writing failed temporarily. */
export type PhotoRefusal = 'image_invalid' | 'image_too_large' | 'try_again';

export type Keeping = { readonly photo: KeptPhoto } | { readonly refusal: PhotoRefusal };

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decodes base64 text.
 * @returns undefined if the text is not base64 (RFC 4648, section 4; padding is optional).
 */
const decoded = (parts: readonly Uint8Array[]): Buffer | undefined => {
  const text = Buffer.concat(parts).toString('latin1');
  return alphabet.test(text) ? Buffer.from(text, 'base64') : undefined;
};

/**
 * Decodes an image and writes it. Refuses data whose first bytes do not identify an image.
 * @param parts base64 text of the image, as chunks in their order.
 * @param most maximum number of bytes of an image.
 * @throws the errors of the file storage.
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
