import { isAt } from './container.js';

/** Length in bytes of the head of an ID3 tag. */
const tagHead = 10;
/** Flag of an ID3 tag with a footer. */
const footed = 0x10;
/** Length in bytes of the head of an APE tag. Its footer has the same length. */
const apeHead = 32;
/** Flag that distinguishes the head of an APE tag from its footer. */
const isHeadFlag = 0x20;
const oldTag = 128;

/** Number of bytes at the beginning of a tag that suffice to find its length. */
export const tagHeadBytes = apeHead;

/**
 * Returns the length in bytes of the ID3 tag at the beginning of a file; 0 if there is no tag. Source: ID3 tag version
 * 2.4.0, section 3.1.
 */
export const tagBytes = (head: Uint8Array): number => {
  if (head.length < tagHead || !isAt(head, 0, 'ID3')) return 0;
  const size = head.subarray(6, tagHead).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return tagHead + size + ((head[5]! & footed) === 0 ? 0 : tagHead);
};

/**
 * Reads the head or the footer of an APE tag.
 * @returns the length in bytes of the tag's entries and footer, and whether the bytes are the head. Undefined if they
 * are neither.
 */
const apeTag = (head: Uint8Array): { readonly entries: number; readonly isHead: boolean } | undefined => {
  if (!isAt(head, 0, 'APETAGEX') || head.length < apeHead) return undefined;
  const size = head[12]! + head[13]! * 256 + head[14]! * 65_536;
  return { entries: size, isHead: (head[23]! & isHeadFlag) !== 0 };
};

/**
 * Returns the length in bytes of the tag of a music program that begins here: ID3 of any version, or APE up to its
 * footer. 0 if there is no tag. Sources: ID3 tag version 2.4.0, section 3.1; ID3v1; APE tags specification version
 * 2.000.
 */
export const anyTagBytes = (head: Uint8Array): number => {
  if (isAt(head, 0, 'TAG')) return oldTag;
  const ape = apeTag(head);
  if (ape === undefined) return tagBytes(head);
  return apeHead + (ape.isHead ? ape.entries : 0);
};

/** If the footer of an APE tag begins here, returns the number of bytes of the tag before the footer; otherwise 0. */
export const bytesBeforeFoot = (head: Uint8Array): number => {
  const ape = apeTag(head);
  return ape === undefined || ape.isHead ? 0 : Math.max(0, ape.entries - apeHead);
};
