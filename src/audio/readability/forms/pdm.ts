import { entropyOf } from './byte-statistics.js';

/** Fewest bytes of which anything is said, and most that are looked at: the last ones, because a stream may begin with silence. */
const fewestBytes = 8192;
const mostBytes = 65_536;
/**
 * Share of neighbouring bits that differ, at each place in a byte, from which on a modulator made them; and of bits two apart, where two
 * microphones take turns. Noise of any kind has 0.5 at its lowest bits and less at others.
 */
const alternating = { neighbours: 0.52, turns: 0.6 } as const;
/** Energy of the steps between counts of set bits in 16, as a share of that of random bits, at most. */
const mostUnrest = 0.3;
/** Bits that a byte carries at least. Two levels with a little noise carry fewer. */
const leastEntropy = 4.5;

const setBits = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1;
  return count;
});

/** The least share of bits that differ from those some places lower in their byte: of all places, and of even and odd bytes. */
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

/** How much the counts of set bits differ from one word of 16 bits to the next: 1 for random bits, 0 where all are alike. */
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
 * Whether messages hold the bits of a PDM microphone, in any order of bits and bytes. A sigma-delta modulator moves its noise to high
 * frequencies: neighbouring bits differ more often than not, wherever they lie in a byte, and counts of set bits hardly change from word to
 * word. The lowest bits of samples are random or stand still, and words of noise have counts as random bits have. Source: S. Norsworthy,
 * R. Schreier and G. Temes, "Delta-Sigma Data Converters", chapter 1.
 */
export const isPdm = (messages: readonly Uint8Array[]): boolean => {
  const bytes = lastBytes(messages);
  if (bytes.length < fewestBytes || unrest(bytes) > mostUnrest || entropyOf(bytes) < leastEntropy)
    return false;
  return (
    leastAlternation(bytes, 1) >= alternating.neighbours || leastAlternation(bytes, 2) >= alternating.turns
  );
};
