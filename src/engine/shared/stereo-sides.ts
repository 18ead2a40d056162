import type { OpenRequest } from '../../wire/index.js';

/** Bytes of a sample of the codecs whose frames can be taken apart without being decoded. */
const sampleBytes: Readonly<Record<string, number>> = { pcm8: 1, pcm16: 2 };

/** Bytes of a sample, where the sides of a stereo stream are asked for and can be had each by itself; else 0. */
export const separableSample = ({
  format,
  separateSides,
}: Pick<OpenRequest, 'format' | 'separateSides'>): number =>
  separateSides === true && format.channels === 2 ? (sampleBytes[format.codec] ?? 0) : 0;

let right = new Uint8Array(0);

/**
 * Moves the left samples of an interleaved frame to its first half and the right ones to its second, in place.
 * @param bytes of a sample.
 * @returns bytes of each half; what is left of an odd end is not in them.
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
