import { entropyOf } from './byte-statistics.js';
import { predictability } from './predictability.js';
import { readSamples } from './sample-forms.js';

/** Fewest bytes for a verdict. */
const fewestBytes = 4000;
/** Least entropy in bits per byte. */
const leastEntropy = 6.4;
/** Largest prediction gain in dB, in any form of 8 bits. */
const mostGain = 1.5;
/**
 * Largest difference between the distributions of the two halves of bytes, and between codes of either sign. Noise of 8
 * bits has at least 0.14 in one of them.
 */
const mostDifference = { halves: 0.04, signs: 0.08 } as const;
/** Least difference between the distribution of codes and a uniform one. */
const leastOrder = 0.12;
const codes = 16;
const sign = 8;

/** Shares of the codes in the low and in the high halves of bytes. */
const sharesOf = (bytes: Uint8Array): readonly [Float64Array, Float64Array] => {
  const low = new Float64Array(codes);
  const high = new Float64Array(codes);
  for (const byte of bytes) {
    low[byte & 15]! += 1 / bytes.length;
    high[byte >> 4]! += 1 / bytes.length;
  }
  return [low, high];
};

/** Half of the summed differences between the share of each code and `other(code)`. */
const difference = (shares: Float64Array, other: (code: number) => number): number =>
  shares.reduce((sum, share, code) => sum + Math.abs(share - other(code)), 0) / 2;

/**
 * Whether bytes are ADPCM of 4 bits. Its codes have the same distribution in both halves of a byte, and for both signs.
 * Small steps are more frequent than large ones. In samples only the low half of a byte is nearly uniform. Clipped
 * noise has two frequent codes that are not the two signs of one step.
 */
export const isAdpcm = (bytes: Uint8Array): boolean => {
  if (bytes.length < fewestBytes || entropyOf(bytes) < leastEntropy) return false;
  const [low, high] = sharesOf(bytes);
  if (difference(low, (code) => high[code]!) > mostDifference.halves) return false;
  const both = low.map((share, code) => (share + high[code]!) / 2);
  if (difference(both, (code) => both[code ^ sign]!) > mostDifference.signs) return false;
  if (difference(both, () => 1 / codes) < leastOrder) return false;
  const small = both[0]! + both[1]! + both[sign]! + both[sign + 1]!;
  const large = both[6]! + both[7]! + both[sign + 6]! + both[sign + 7]!;
  if (small < 2 * large) return false;
  return (['u8', 's8', 'mulaw', 'alaw'] as const).every(
    (form) => predictability([readSamples(bytes, form)]) < mostGain,
  );
};
