import { entropyOf } from './byte-statistics.js';
import { predictability } from './predictability.js';
import { readSamples } from './sample-forms.js';

/** Fewest bytes of which anything is said. */
const fewestBytes = 4000;
/** Bits that a byte carries at least. */
const leastEntropy = 6.4;
/** dB by which its bytes are predicted at most, in any form of 8 bits. */
const mostGain = 1.5;
/** How differently the halves of bytes are distributed at most, and codes of either sign. Noise of 8 bits has 0.14 and more of one of them. */
const mostDifference = { halves: 0.04, signs: 0.08 } as const;
/** How differently the codes are distributed from codes that are all as frequent, at least. */
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

/** Half of the summed differences between the shares of all codes and others. */
const difference = (shares: Float64Array, other: (code: number) => number): number =>
  shares.reduce((sum, share, code) => sum + Math.abs(share - other(code)), 0) / 2;

/**
 * Whether bytes are ADPCM of 4 bits. Its codes are distributed alike in both halves of a byte, and alike for both signs; small steps are more
 * frequent than large ones. Of samples the low half of a byte is nearly even, and the high half is not; clipped noise has two frequent codes
 * that are no two signs of one step.
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
