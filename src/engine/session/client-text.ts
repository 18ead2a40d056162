import { CochleaError } from '../../errors/index.js';

/** Bytes a client's text may have, by what it is. */
export interface TextLimits {
  readonly maxText: number;
  readonly maxImageChunk: number;
}

/** No message of a client is nested deeper than four; brackets alone are what JSON.parse is slowest at. */
const deepest = 16;
/** Shorter texts are not worth a look before they are parsed. */
const shortText = 1024;
/** What a chunk of an image may hold beside its data. */
const maxImageFields = 4096;
/** Stands for the data of an image. */
const placeholder = Buffer.from('x');
const quote = 0x22;
const backslash = 0x5c;

/**
 * What of a client's message is parsed: all of it, but of a chunk of an image not the data, which `imageData` finds. Over `maxText` only chunks of images pass. Costs a search for
 * quotation marks, and parses no more than the fields beside the data.
 * @param bytes UTF-8.
 * @returns `bytes` themselves, or a copy of a part.
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

/** The base64 of a message of which `textToKeep` has kept a part: where it lies, or a copy without escapes. */
export const imageData = (bytes: Buffer): Buffer => {
  const data = longString(bytes);
  return data === null ? bytes.subarray(0, 0) : unescaped(bytes.subarray(data.start, data.end));
};

/**
 * The text of a client's message, ready to be parsed at a bounded price.
 * @param bytes UTF-8; not kept.
 * @returns null for what is nested too deep to be any message.
 */
export const readText = (bytes: Buffer): string | null =>
  bytes.length > shortText && isDeep(bytes) ? null : bytes.toString('utf8');

/** Whether the brackets of a text that would parse lie deeper than any message's. */
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

/** @returns where the string that begins at `start` ends, or -1 when it does not. */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
};

/** A large message that is a chunk of an image, without its data. @returns null for any other message. */
const imageFields = (bytes: Buffer): Buffer | null => {
  const data = longString(bytes);
  if (data === null) return null;
  const fields = Buffer.concat([bytes.subarray(0, data.start), placeholder, bytes.subarray(data.end)]);
  return isImageChunk(fields) ? fields : null;
};

/** Whether the fields of a message, whose longest string is replaced, are those of a chunk of an image. */
const isImageChunk = (fields: Buffer): boolean => {
  try {
    const { type, data } = JSON.parse(fields.toString('utf8')) as { type?: unknown; data?: unknown };
    return type === 'image_chunk' && data === placeholder.toString();
  } catch {
    // It is refused as what it claims to be.
    return fields.includes('"image_chunk"');
  }
};

/**
 * The longest string of a message, which all but `maxImageFields` bytes belong to.
 * @returns where it lies, without its quotation marks; null where there is no such string.
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

/** The bytes of a JSON string without its escapes: base64 needs none, but some writers of JSON escape its `/`, `+` and `=`. */
const unescaped = (bytes: Buffer): Buffer => {
  if (!bytes.includes(backslash)) return bytes;
  try {
    return Buffer.from(JSON.parse(`"${bytes.toString('latin1')}"`) as string);
  } catch {
    // No base64 either: the image is refused.
    return bytes;
  }
};
