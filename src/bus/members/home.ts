import { createHash } from 'node:crypto';
import { machineOf } from './name-budgets.js';

/** Returns a hash of a node's id, with 32 bits. Ids that differ in only one character also get different hashes. */
const hashOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32LE(0);

/**
 * Returns a hash of a key, with 32 bits (FNV-1a). The hash must be fast to compute, because it is computed for all keys
 * after each change of the nodes.
 */
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

/** Hashes of a node and of its machine, from which `homeOf` chooses the home of a key. */
interface Place {
  readonly machine: string;
  readonly machineBits: number;
  readonly bits: number;
}

/** Cache of the hashes of nodes, by node id. */
const places = new Map<string, Place>();
/** Maximum number of nodes in this cache. A fleet has fewer nodes. */
const mostNodes = 1024;

const placeOf = (id: string): Place => {
  let place = places.get(id);
  if (place === undefined) {
    const machine = machineOf(id);
    place = { machine, machineBits: hashOf(machine), bits: hashOf(id) };
    if (places.size >= mostNodes) places.clear();
    places.set(id, place);
  }
  return place;
};

/**
 * Chooses the home of a key among nodes, by rendezvous hashing. It first chooses the machine with the largest hash
 * value for the key, and then the node of this machine with the largest value. So a machine does not get more keys if
 * it announces more nodes. The result does not depend on the order of the nodes. If a node leaves, only its keys get a
 * different home.
 * @returns null without nodes.
 */
export const homeOf = (key: string, nodes: readonly string[]): string | null => {
  const bits = bitsOfKey(key);
  let home: string | null = null;
  let machine = '';
  let largest = { ofMachine: -1, ofNode: -1 };
  for (const node of nodes) {
    const place = placeOf(node);
    const ofMachine = spread(bits ^ place.machineBits);
    if (ofMachine < largest.ofMachine) continue;
    const isOther = place.machine !== machine;
    if (isOther && ofMachine === largest.ofMachine && place.machine > machine) continue;
    const ofNode = spread(bits ^ place.bits);
    if (isOther || ofNode > largest.ofNode || (ofNode === largest.ofNode && home !== null && node < home)) {
      home = node;
      machine = place.machine;
      largest = { ofMachine, ofNode };
    }
  }
  return home;
};
