import { entropyOf } from './byte-statistics.js';

/** Minimum number of bytes for a verdict. */
const fewestBytes = 8192;
/**
 * Maximum number of bytes that are read. They are read at the end of the sample, because a stream may begin with
 * silence.
 */
const mostBytes = 65_536;
/**
 * Minimum results of `leastAlternation` for the bits of a PDM microphone. `neighbours` is for the distance 1. `turns`
 * is for the distance 2, if the bits of two microphones alternate. For noise, the result is 0.5 at the lowest bits and
 * less at other bits.
 */
const alternating = { neighbours: 0.52, turns: 0.6 } as const;
/** Maximum result of `unrest` for the bits of a PDM microphone. */
const mostUnrest = 0.3;
/** Minimum entropy in bits per byte. Samples with two levels and a little noise have a lower entropy. */
const leastEntropy = 4.5;

const setBits = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1;
  return count;
});

/**
 * Returns the minimum share of bits that differ from the bit `distance` positions away in the same byte. The minimum is
 * over all bit positions, separately for even and odd bytes.
 */
const leastAlternation = (bytes: Uint8Array, distance: number): number => {
  const places = 8 - distance;
  const differ = new Uint32Array(2 * places);
  for (const [index, byte] of bytes.entries()) {
    const changed = byte ^ (byte >> distance);
    const from = (index & 1) * places;
    for (let place = 0; place < places; place++) differ[from + place]! += (changed >> place) & 1;
  }
  return Math.min(...differ) / (bytes.length / 2);
};

/**
 * Returns how much the number of set bits varies between 16-bit words. The result is 0 if all words have the same
 * number, and 1 for random bits.
 */
const unrest = (bytes: Uint8Array): number => {
  const words = bytes.length >> 1;
  const ofRandomBits = 8;
  let sum = 0;
  let last = 0;
  for (let word = 0; word < words; word++) {
    const count = setBits[bytes[2 * word]!]! + setBits[bytes[2 * word + 1]!]!;
    if (word > 0) sum += (count - last) ** 2;
    last = count;
  }
  return sum / (words - 1) / ofRandomBits;
};

const lastBytes = (messages: readonly Uint8Array[]): Uint8Array => {
  let from = messages.length;
  for (let bytes = 0; from > 0 && bytes < mostBytes; from--) bytes += messages[from - 1]!.length;
  return Buffer.concat(messages.slice(from)).subarray(-mostBytes);
};

/**
 * Checks whether messages contain the bits of a PDM microphone, in any order of bits and bytes. A sigma-delta modulator
 * moves its noise to high frequencies. So adjacent bits mostly differ at every position in a byte, and the number of
 * set bits hardly varies between words.
 *
 * In samples, by contrast, the lowest bits are random or constant. In noise the number of set bits varies as in random
 * bits. Source: S. Norsworthy, R. Schreier and G. Temes, "Delta-Sigma Data Converters", chapter 1.
 */
export const isPdm = (messages: readonly Uint8Array[]): boolean => {
  const bytes = lastBytes(messages);
  if (bytes.length < fewestBytes || unrest(bytes) > mostUnrest || entropyOf(bytes) < leastEntropy)
    return false;
  return (
    leastAlternation(bytes, 1) >= alternating.neighbours || leastAlternation(bytes, 2) >= alternating.turns
  );
};
