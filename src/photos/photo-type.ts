/** Content types of the images that are stored. Language models accept these types, too. */
export type PhotoType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

interface Signature {
  readonly type: PhotoType;
  /** Bytes that the file must have at the given offsets. */
  readonly marks: readonly { readonly at: number; readonly bytes: Buffer }[];
}

const mark = (at: number, text: string) => ({ at, bytes: Buffer.from(text, 'latin1') });

/** Bytes by which each image type is recognised: JPEG (ITU T.81), PNG (W3C), GIF (87a and 89a), WebP (RFC 9649). */
const signatures: readonly Signature[] = [
  { type: 'image/jpeg', marks: [mark(0, '\xff\xd8\xff')] },
  { type: 'image/png', marks: [mark(0, '\x89PNG\r\n\x1a\n'), mark(12, 'IHDR')] },
  { type: 'image/gif', marks: [mark(0, 'GIF87a')] },
  { type: 'image/gif', marks: [mark(0, 'GIF89a')] },
  { type: 'image/webp', marks: [mark(0, 'RIFF'), mark(8, 'WEBPVP8')] },
];

/**
 * Returns the content type of an image by its first bytes; null for any other file. The image itself is not checked.
 */
export const photoTypeOf = (bytes: Buffer): PhotoType | null =>
  signatures.find(({ marks }) =>
    marks.every(({ at, bytes: expected }) => bytes.subarray(at, at + expected.length).equals(expected)),
  )?.type ?? null;
