import { isAt } from './container.js';

/** Bytes of the head of an ID3 tag, and of its foot where it has one. */
const tagHead = 10;
const footed = 0x10;
/** Bytes of the head of an APE tag, and of its foot; the flag of a head. */
const apeHead = 32;
const isHeadFlag = 0x20;
const oldTag = 128;

/** Bytes from the beginning of a tag that are enough to tell how long it is. */
export const tagHeadBytes = apeHead;

/** Bytes of the ID3 tag with which a file begins; 0 where it has none. Source: ID3 tag version 2.4.0, section 3.1. */
export const tagBytes = (head: Uint8Array): number => {
  if (head.length < tagHead || !isAt(head, 0, 'ID3')) return 0;
  const size = head.subarray(6, tagHead).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return tagHead + size + ((head[5]! & footed) === 0 ? 0 : tagHead);
};

/** Bytes of the entries of an APE tag, and whether they lie behind this head or before this foot; undefined where neither is here. */
const apeTag = (head: Uint8Array): { readonly entries: number; readonly isHead: boolean } | undefined => {
  if (!isAt(head, 0, 'APETAGEX') || head.length < apeHead) return undefined;
  const size = head[12]! + head[13]! * 256 + head[14]! * 65_536;
  return { entries: size, isHead: (head[23]! & isHeadFlag) !== 0 };
};

/**
 * Bytes of the tag of a music program that begins here: ID3 of any version, or APE up to its foot. 0 where none does.
 * Sources: ID3 tag version 2.4.0, section 3.1; ID3v1; APE tags specification version 2.000.
 */
export const anyTagBytes = (head: Uint8Array): number => {
  if (isAt(head, 0, 'TAG')) return oldTag;
  const ape = apeTag(head);
  if (ape === undefined) return tagBytes(head);
  return apeHead + (ape.isHead ? ape.entries : 0);
};

/** Bytes that lie before the foot of an APE tag and belong to it; 0 where none begins here. */
export const bytesBeforeFoot = (head: Uint8Array): number => {
  const ape = apeTag(head);
  return ape === undefined || ape.isHead ? 0 : Math.max(0, ape.entries - apeHead);
};
