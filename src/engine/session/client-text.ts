import { CochleaError } from '../../errors/index.js';

/** Maximum sizes of a client's text messages, in bytes: one for image chunks, one for all other texts. */
export interface TextLimits {
  readonly maxText: number;
  readonly maxImageChunk: number;
}

/**
 * Maximum nesting of a text that is parsed. Real messages have at most four levels. Deeply nested brackets are the
 * slowest input of JSON.parse.
 */
const deepest = 16;
/** Maximum length in bytes of a text that is parsed without a check of its nesting. */
const shortText = 1024;
/** Maximum size in bytes of an image chunk without its `data` field. */
const maxImageFields = 4096;
/** Text that replaces the `data` of an image chunk. */
const placeholder = Buffer.from('x');
const quote = 0x22;
const backslash = 0x5c;

/**
 * Returns the part of a client's message that is parsed later: the whole message, or an image chunk without its
 * `data`. `imageData` returns that data. Only image chunks may exceed `maxText`. The work is one search for
 * quotation marks, plus parsing the other fields of an image chunk.
 * @param bytes UTF-8.
 * @returns `bytes` itself, or a copy without the image data.
 * @throws CochleaError text_too_large (close 1009).
 */
export const textToKeep = (bytes: Buffer, { maxText, maxImageChunk }: TextLimits): Buffer => {
  if (bytes.length <= maxImageFields) return bytes;
  const tooLarge = (limit: number): CochleaError =>
    new CochleaError('text_too_large', { bytes: bytes.length, limit });
  if (bytes.length > Math.max(maxText, maxImageChunk)) throw tooLarge(maxImageChunk);
  const kept = imageFields(bytes);
  if (kept !== null && bytes.length <= maxImageChunk) return kept;
  if (bytes.length > maxText) throw tooLarge(maxText);
  return bytes;
};

/**
 * Returns the base64 that `textToKeep` removed from a message. The result is a view of `bytes`, or a copy if JSON
 * escapes had to be removed.
 */
export const imageData = (bytes: Buffer): Buffer => {
  const data = longString(bytes);
  return data === null ? bytes.subarray(0, 0) : unescaped(bytes.subarray(data.start, data.end));
};

/**
 * Decodes a client's message, unless parsing it could take too long.
 * @param bytes UTF-8; not kept.
 * @returns null if the message is nested deeper than `deepest`.
 */
export const readText = (bytes: Buffer): string | null =>
  bytes.length > shortText && isDeep(bytes) ? null : bytes.toString('utf8');

/**
 * Whether the brackets of a text are nested deeper than `deepest`. For text that is not valid JSON the result is
 * unspecified.
 */
const isDeep = (bytes: Buffer): boolean => {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case 0x5b:
      case 0x7b:
        if (++depth > deepest) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      case quote:
        at = endOfString(bytes, at);
        if (at < 0) return false;
    }
  }
  return false;
};

/**
 * Returns the offset of the closing quotation mark of the string that begins at `start`; -1 if the string does not end.
 */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
};

/** Copies a large image chunk without its `data`. @returns null for any other message. */
const imageFields = (bytes: Buffer): Buffer | null => {
  const data = longString(bytes);
  if (data === null) return null;
  const fields = Buffer.concat([bytes.subarray(0, data.start), placeholder, bytes.subarray(data.end)]);
  return isImageChunk(fields) ? fields : null;
};

/** Whether a message is an image chunk. The caller has already replaced its longest string by the placeholder. */
const isImageChunk = (fields: Buffer): boolean => {
  try {
    const { type, data } = JSON.parse(fields.toString('utf8')) as { type?: unknown; data?: unknown };
    return type === 'image_chunk' && data === placeholder.toString();
  } catch {
    // Invalid JSON that contains this name counts as an image chunk. It is later refused as an invalid image chunk.
    return fields.includes('"image_chunk"');
  }
};

/**
 * Finds the longest string of a message, if at most `maxImageFields` bytes lie outside it.
 * @returns the offsets of its content without the quotation marks, or null if no string is that long.
 */
const longString = (bytes: Buffer): { readonly start: number; readonly end: number } | null => {
  let longest = { start: 0, end: 0 };
  for (let at = bytes.indexOf(quote); at >= 0 && at < maxImageFields; at = bytes.indexOf(quote, at + 1)) {
    const end = endOfString(bytes, at);
    if (end < 0) break;
    if (end - at - 1 > longest.end - longest.start) longest = { start: at + 1, end };
    at = end;
  }
  return bytes.length - (longest.end - longest.start) > maxImageFields ? null : longest;
};

/** Removes the escapes of a JSON string. Base64 needs no escapes, but some JSON writers escape its `/`, `+` and `=`. */
const unescaped = (bytes: Buffer): Buffer => {
  if (!bytes.includes(backslash)) return bytes;
  try {
    return Buffer.from(JSON.parse(`"${bytes.toString('latin1')}"`) as string);
  } catch {
    // The content is not a valid JSON string, so it is not base64 either. The image is refused later.
    return bytes;
  }
};
