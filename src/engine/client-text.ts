import { CochleaError } from '../errors/index.js';

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
const colon = 0x3a;
const whiteSpace: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * What of a client's message is parsed: all of it, but of a chunk of an image not the data, which `imageData` finds. Over `maxText` only chunks of images pass. Costs a search for two quotation marks, and decodes nothing.
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

/** The data of a message of which `textToKeep` has kept a part: base64, where it lies. It is not looked at. */
export const imageData = (bytes: Buffer): Buffer => {
  const data = dataOf(bytes);
  return data === null ? bytes.subarray(0, 0) : bytes.subarray(data.start, data.end);
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

/**
 * A large message that is a chunk of an image, without its data: base64 holds no quotation mark, so what lies between
 * two of them can be cut out unread.
 * @returns null for any other message.
 */
const imageFields = (bytes: Buffer): Buffer | null => {
  const data = dataOf(bytes);
  if (data === null || bytes.length - (data.end - data.start) > maxImageFields) return null;
  const fields = Buffer.concat([bytes.subarray(0, data.start), placeholder, bytes.subarray(data.end)]);
  return fields.includes('"image_chunk"') ? fields : null;
};

/** Where the value of the member `data` lies, without its quotation marks. Looked for where the other members fit. */
const dataOf = (bytes: Buffer): { readonly start: number; readonly end: number } | null => {
  const key = '"data"';
  let at = bytes.subarray(0, maxImageFields).indexOf(key);
  if (at < 0) return null;
  at = afterSpace(bytes, at + key.length);
  if (bytes[at] !== colon) return null;
  at = afterSpace(bytes, at + 1);
  if (bytes[at] !== quote) return null;
  const end = bytes.indexOf(quote, at + 1);
  return end < 0 ? null : { start: at + 1, end };
};

const afterSpace = (bytes: Buffer, start: number): number => {
  let at = start;
  while (at - start < maxImageFields && whiteSpace.includes(bytes[at]!)) at++;
  return at;
};
