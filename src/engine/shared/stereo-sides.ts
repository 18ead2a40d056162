import type { OpenRequest } from '../../wire/index.js';

/**
 * Number of bytes of a sample, by codec. Only the listed codecs have frames that can be split by channel without
 * decoding.
 */
const sampleBytes: Readonly<Record<string, number>> = { pcm8: 1, pcm16: 2 };

/**
 * Returns the number of bytes of a sample if a stereo stream must be split into its sides. Returns 0 if the client did
 * not ask for separate sides or the codec cannot be split.
 */
export const separableSample = ({
  format,
  separateSides,
}: Pick<OpenRequest, 'format' | 'separateSides'>): number =>
  separateSides === true && format.channels === 2 ? (sampleBytes[format.codec] ?? 0) : 0;

let right = new Uint8Array(0);

/**
 * Moves the left samples of an interleaved frame to its first half and the right samples to its second half, in
 * place.
 * An incomplete pair of samples at the end is left out.
 * @param bytes number of bytes of a sample.
 * @returns the number of bytes of each half.
 */
export const separateSides = (frame: Uint8Array, bytes: number): number => {
  const half = Math.floor(frame.length / (2 * bytes)) * bytes;
  if (right.length < half) right = new Uint8Array(half);
  for (let at = 0; at < half; at += bytes) {
    for (let byte = 0; byte < bytes; byte++) {
      right[at + byte] = frame[2 * at + bytes + byte]!;
      frame[at + byte] = frame[2 * at + byte]!;
    }
  }
  frame.set(right.subarray(0, half), half);
  return half;
};
