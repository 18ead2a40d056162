import { createHash } from 'node:crypto';

/** Returns 32 bits that differ between texts, also between texts that differ in one character only. */
const bitsOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32LE(0);

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
    bits = bitsOf(id);
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
  const bits = bitsOf(key);
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
