import { createHash } from 'node:crypto';

/** Returns 32 bits that differ between ids of nodes, also if they differ in one character only. */
const hashOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32LE(0);

/** Returns 32 bits of a key (FNV-1a). It is fast, because all keys are examined after each change of the nodes. */
const bitsOfKey = (key: string): number => {
  let bits = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) bits = Math.imul(bits ^ key.charCodeAt(at), 0x01000193);
  return bits;
};

/** Spreads all bits of a number (the last step of MurmurHash3). */
const spread = (bits: number): number => {
  let mixed = bits;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** The bits of recently used nodes. */
const nodeBits = new Map<string, number>();
/** Maximum number of nodes whose bits are kept. A fleet has fewer. */
const mostNodes = 1024;

const bitsOfNode = (id: string): number => {
  let bits = nodeBits.get(id);
  if (bits === undefined) {
    bits = hashOf(id);
    if (nodeBits.size >= mostNodes) nodeBits.clear();
    nodeBits.set(id, bits);
  }
  return bits;
};

/**
 * Chooses the node of a key by rendezvous hashing: the node with the largest value for the key. The order of the nodes
 * has no influence. If a node leaves, only its keys move.
 * @returns null without nodes.
 */
export const homeOf = (key: string, nodes: readonly string[]): string | null => {
  const bits = bitsOfKey(key);
  let home: string | null = null;
  let largest = -1;
  for (const node of nodes) {
    const value = spread(bits ^ bitsOfNode(node));
    if (value > largest || (value === largest && home !== null && node < home)) {
      home = node;
      largest = value;
    }
  }
  return home;
};
