import type { OpenRequest } from '../../wire/index.js';

/** Bytes of a sample, for the codecs with frames that can be split by channel without decoding. */
const sampleBytes: Readonly<Record<string, number>> = { pcm8: 1, pcm16: 2 };

/** Bytes of a sample if the client asks for separate sides of a stereo stream and the codec can be split; else 0. */
export const separableSample = ({
  format,
  separateSides,
}: Pick<OpenRequest, 'format' | 'separateSides'>): number =>
  separateSides === true && format.channels === 2 ? (sampleBytes[format.codec] ?? 0) : 0;

let right = new Uint8Array(0);

/**
 * Moves the left samples of an interleaved frame to its first half and the right samples to its second half, in place.
 * @param bytes bytes of a sample.
 * @returns bytes of each half. The halves leave out an incomplete pair of samples at the end.
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
