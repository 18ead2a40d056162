/** Decodes a staged file and compares it with its original recording. */
import { Decoder } from '@evan/opus';
import { resample } from '../../../src/app/wearable/resample.js';
import type { StagedAudio } from '../../../src/audio/files/staging.js';
import { FrameFile } from '../../../src/audio/recording/frame-file.js';

const rate = 16_000;
/** Samples per loudness value (10 ms). */
const step = 160;
/** Mean square of samples below which there is no speech. */
const quiet = 400;
/** Steps by which one recording may be shifted against the other. */
const lags = Array.from({ length: 51 }, (_, index) => index - 25);

export const joined = (...parts: readonly Int16Array[]): Int16Array => {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** Returns mono samples at 16 kHz of staged audio. */
export const heard = async ({ format, frames }: StagedAudio): Promise<Int16Array> => {
  const file = new FrameFile();
  const decoder = new Decoder({ channels: 1, sample_rate: rate });
  const parts: Int16Array[] = [];
  for await (const piece of frames()) {
    const { bytes, frames: found } = file.read(piece);
    for (let at = 0; at < found.length; at += 2) {
      const frame = bytes.subarray(found[at]!, found[at]! + found[at + 1]!);
      const pcm = new Int16Array(
        new Uint8Array(format.codec === 'opus' ? decoder.decode(frame) : frame).buffer,
      );
      const isWide = format.codec !== 'opus' && format.channels === 2;
      parts.push(isWide ? pcm.filter((_, index) => index % 2 === 0) : pcm);
    }
  }
  file.end();
  const { sampleRate } = format;
  return format.codec === 'opus' ? joined(...parts) : resample(joined(...parts), sampleRate, rate);
};

const loudness = (pcm: Int16Array): Float64Array =>
  Float64Array.from({ length: Math.floor(pcm.length / step) }, (_, index) => {
    let sum = 0;
    for (let at = index * step; at < (index + 1) * step; at++) sum += pcm[at]! ** 2;
    return Math.sqrt(sum / step);
  });

const correlation = (one: Float64Array, other: Float64Array, lag: number): number => {
  let [both, first, second] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const value = other[at + lag] ?? 0;
    both += one[at]! * value;
    first += one[at]! ** 2;
    second += value ** 2;
  }
  if (first === 0) return second / one.length < quiet ? 1 : 0;
  return second === 0 ? 0 : both / Math.sqrt(first * second);
};

/**
 * Compares the loudness of two recordings over time. @returns the lowest similarity of the three thirds, at most 1, so that missing words
 * at the end show in the last third.
 */
export const likeness = (expected: Int16Array, found: Int16Array): number => {
  const [one, other] = [loudness(expected), loudness(found)];
  const third = Math.floor(one.length / 3);
  const thirds = [0, 1, 2].map((index) => {
    const part = one.subarray(index * third, (index + 1) * third);
    return Math.max(...lags.map((lag) => correlation(part, other, index * third + lag)));
  });
  return Math.min(...thirds);
};
