import { entropyOf } from './byte-statistics.js';
import { predictability } from './predictability.js';
import { readSamples } from './sample-forms.js';

/** Minimum number of bytes for a verdict. */
const fewestBytes = 4000;
/** Minimum entropy in bits per byte. */
const leastEntropy = 6.4;
/** Maximum prediction gain in dB, in any 8-bit sample format. */
const mostGain = 1.5;
/**
 * Maximum differences between distributions in ADPCM. `halves`: low and high halves of bytes. `signs`: positive and
 * negative codes. 8-bit noise has at least 0.14 in one of the two.
 */
const mostDifference = { halves: 0.04, signs: 0.08 } as const;
/** Minimum difference between the distribution of the codes and a uniform distribution. */
const leastOrder = 0.12;
const codes = 16;
const sign = 8;

/** Returns the share of each 4-bit code, first in the low halves of bytes, then in the high halves. */
const sharesOf = (bytes: Uint8Array): readonly [Float64Array, Float64Array] => {
  const low = new Float64Array(codes);
  const high = new Float64Array(codes);
  for (const byte of bytes) {
    low[byte & 15]! += 1 / bytes.length;
    high[byte >> 4]! += 1 / bytes.length;
  }
  return [low, high];
};

/**
 * Returns the distance between two distributions: half the sum of the differences between each code's share and
 * `other(code)`.
 */
const difference = (shares: Float64Array, other: (code: number) => number): number =>
  shares.reduce((sum, share, code) => sum + Math.abs(share - other(code)), 0) / 2;

/**
 * Checks whether bytes are 4-bit ADPCM. Its codes have the same distribution in both halves of a byte, and for both
 * signs. Small steps are more frequent than large steps.
 *
 * In PCM samples, by contrast, only the low half of a byte is nearly uniform. Clipped noise has two frequent codes,
 * which are not the two signs of one step.
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
