import { CochleaError } from '../../errors/index.js';

/** Most bytes of a client's text message, by kind. */
export interface TextLimits {
  readonly maxText: number;
  readonly maxImageChunk: number;
}

/** Deepest nesting that is parsed. Real messages have at most four levels; JSON.parse is slowest on deep brackets. */
const deepest = 16;
/** Texts up to this length are parsed without a check of their nesting. */
const shortText = 1024;
/** Most bytes of an image chunk besides its data. */
const maxImageFields = 4096;
/** Replaces the data of an image chunk. */
const placeholder = Buffer.from('x');
const quote = 0x22;
const backslash = 0x5c;

/**
 * Returns the part of a client's message to parse: the whole message, or an image chunk without its data. `imageData` returns that
 * data. Only image chunks may exceed `maxText`. The cost is a search for quotation marks, and parsing the fields besides the data.
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

/** The base64 that `textToKeep` removed from a message: a view of `bytes`, or a copy without JSON escapes. */
export const imageData = (bytes: Buffer): Buffer => {
  const data = longString(bytes);
  return data === null ? bytes.subarray(0, 0) : unescaped(bytes.subarray(data.start, data.end));
};

/**
 * Decodes a client's message, if parsing it has a bounded cost.
 * @param bytes UTF-8; not kept.
 * @returns null if the message is nested too deep.
 */
export const readText = (bytes: Buffer): string | null =>
  bytes.length > shortText && isDeep(bytes) ? null : bytes.toString('utf8');

/** Whether the brackets of a text are nested deeper than `deepest`. Text that is not JSON may give either answer. */
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

/** @returns the offset of the closing quotation mark of the string that begins at `start`, or -1 if there is none. */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
};

/** Copies a large image chunk without its data. @returns null for any other message. */
const imageFields = (bytes: Buffer): Buffer | null => {
  const data = longString(bytes);
  if (data === null) return null;
  const fields = Buffer.concat([bytes.subarray(0, data.start), placeholder, bytes.subarray(data.end)]);
  return isImageChunk(fields) ? fields : null;
};

/** Whether a message with its longest string replaced is an image chunk. */
const isImageChunk = (fields: Buffer): boolean => {
  try {
    const { type, data } = JSON.parse(fields.toString('utf8')) as { type?: unknown; data?: unknown };
    return type === 'image_chunk' && data === placeholder.toString();
  } catch {
    // Invalid JSON that claims to be an image chunk is later refused as an image chunk.
    return fields.includes('"image_chunk"');
  }
};

/**
 * Finds the longest string of a message, if all but `maxImageFields` bytes belong to it.
 * @returns its offsets without the quotation marks; null if there is no such string.
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

/** Removes the escapes of a JSON string. Base64 needs none, but some JSON writers escape its `/`, `+` and `=`. */
const unescaped = (bytes: Buffer): Buffer => {
  if (!bytes.includes(backslash)) return bytes;
  try {
    return Buffer.from(JSON.parse(`"${bytes.toString('latin1')}"`) as string);
  } catch {
    // A broken string is not base64, so the image is refused later.
    return bytes;
  }
};
