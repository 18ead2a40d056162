import { isAt } from './container.js';

/** Bytes of the head of an ID3 tag, and the flag of a tag with a foot. */
const tagHead = 10;
const footed = 0x10;
/** Bytes of the head and of the foot of an APE tag; the flag that marks a head. */
const apeHead = 32;
const isHeadFlag = 0x20;
const oldTag = 128;

/** Bytes at the beginning of a tag that suffice to know its length. */
export const tagHeadBytes = apeHead;

/** Bytes of the ID3 tag at the beginning of a file; 0 if there is none. Source: ID3 tag version 2.4.0, section 3.1. */
export const tagBytes = (head: Uint8Array): number => {
  if (head.length < tagHead || !isAt(head, 0, 'ID3')) return 0;
  const size = head.subarray(6, tagHead).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return tagHead + size + ((head[5]! & footed) === 0 ? 0 : tagHead);
};

/** Bytes of the entries of an APE tag, and whether this is the head before them or the foot behind them. Undefined if it is neither. */
const apeTag = (head: Uint8Array): { readonly entries: number; readonly isHead: boolean } | undefined => {
  if (!isAt(head, 0, 'APETAGEX') || head.length < apeHead) return undefined;
  const size = head[12]! + head[13]! * 256 + head[14]! * 65_536;
  return { entries: size, isHead: (head[23]! & isHeadFlag) !== 0 };
};

/**
 * Bytes of the tag of a music program that begins here: ID3 of any version, or APE up to its foot. 0 if there is none.
 * Sources: ID3 tag version 2.4.0, section 3.1; ID3v1; APE tags specification version 2.000.
 */
export const anyTagBytes = (head: Uint8Array): number => {
  if (isAt(head, 0, 'TAG')) return oldTag;
  const ape = apeTag(head);
  if (ape === undefined) return tagBytes(head);
  return apeHead + (ape.isHead ? ape.entries : 0);
};

/** Bytes of an APE tag before its foot, if a foot begins here; otherwise 0. */
export const bytesBeforeFoot = (head: Uint8Array): number => {
  const ape = apeTag(head);
  return ape === undefined || ape.isHead ? 0 : Math.max(0, ape.entries - apeHead);
};
