/** Minimum share of frames that counts as "nearly all". */
export const nearlyAll = 0.95;

/** Returns the number of occurrences of each byte value. */
const histogram = (bytes: Uint8Array, from: number, stride: number): Uint32Array => {
  const counts = new Uint32Array(256);
  for (let at = from; at < bytes.length; at += stride) counts[bytes[at]!]!++;
  return counts;
};

/**
 * Returns the entropy of the byte values in bits per byte, 0 to 8. Coded audio has nearly 8. For a few hundred bytes,
 * the result is too low.
 */
export const entropyOf = (bytes: Uint8Array): number => {
  let bits = 0;
  for (const count of histogram(bytes, 0, 1)) {
    if (count > 0) bits -= (count / bytes.length) * Math.log2(count / bytes.length);
  }
  return bits;
};

/**
 * Returns the difference between the distributions of bytes at even and at odd offsets, from 0 (equal) to 1. It is the
 * total variation over 32 classes of values.
 */
export const parityDifference = (bytes: Uint8Array): number => {
  const [even, odd] = [0, 1].map((from) => histogram(bytes, from, 2));
  const evenCount = Math.ceil(bytes.length / 2);
  const oddCount = Math.floor(bytes.length / 2);
  if (oddCount === 0) return 0;
  let sum = 0;
  for (let first = 0; first < 256; first += 8) {
    let difference = 0;
    for (let value = first; value < first + 8; value++)
      difference += even![value]! / evenCount - odd![value]! / oddCount;
    sum += Math.abs(difference);
  }
  return sum / 2;
};

/** Returns the most frequent value of a list, and its share. */
export const mostCommon = (values: readonly number[]): { readonly value: number; readonly share: number } => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let value = Number.NaN;
  let most = 0;
  for (const [candidate, count] of counts) {
    if (count <= most) continue;
    most = count;
    value = candidate;
  }
  return { value, share: values.length === 0 ? 0 : most / values.length };
};

/** Number of bytes at each end of a frame that are compared with other frames. */
const comparedBytes = 16;

/**
 * Returns the share of frames that differ from every earlier frame. The share is low if an encoder sends the same frame
 * for silence.
 */
export const distinctShare = (frames: readonly Uint8Array[]): number => {
  if (frames.length === 0) return 0;
  const seen = new Set<string>();
  for (const frame of frames) {
    const tail = frame.subarray(Math.max(comparedBytes, frame.length - comparedBytes));
    seen.add(`${frame.length} ${frame.subarray(0, comparedBytes).join()} ${tail.join()}`);
  }
  return seen.size / frames.length;
};
