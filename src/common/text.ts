import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Replaces characters that JSON allows but PostgreSQL text does not (NUL and unpaired surrogates) by U+FFFD. Keeps
 * other control characters.
 */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Applies `storableText` to a text that may be missing, such as `person_id`. */
export const storableName = (name: string | null | undefined): string | null =>
  name === null || name === undefined ? null : storableText(name);

const encoder = new TextEncoder();

/** Returns the longest prefix of a text with at most `bytes` bytes in UTF-8. The prefix never ends within a code point. */
export const startWithin = (text: string, bytes: number): string =>
  text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read);

const isLead = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isTrail = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/**
 * Returns the length of a text in code points, as the API counts characters. An emoji outside the basic plane counts as
 * one.
 */
export const characterCount = (text: string): number => {
  let count = text.length;
  // Iterating over code points would take ten times as long as this loop.
  for (let at = 1; at < text.length; at++) {
    if (!isTrail(text.charCodeAt(at)) || !isLead(text.charCodeAt(at - 1))) continue;
    count--;
    at++;
  }
  return count;
};

/** Returns the first `count` code points of a text. */
export const firstCharacters = (text: string, count: number): string => {
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
};

/** Returns the first rows whose texts together have at most `most` UTF-16 code units. */
export const rowsWithin = <Row>(
  rows: readonly Row[],
  textOf: (row: Row) => string | null,
  most: number,
): readonly Row[] => {
  let length = 0;
  const end = rows.findIndex((row) => {
    length += textOf(row)?.length ?? 0;
    return length > most;
  });
  return end === -1 ? rows : rows.slice(0, end);
};

/** Returns a name of 22 letters, digits, "-" and "_" for a text: half of its SHA-256 hash. */
export const hashedName = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

/** Whether two secret texts are equal. Takes the same time for every text of the same length. */
export const equalSecrets = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
