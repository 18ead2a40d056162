import { joinSamples } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import { type WavLayout, walkWav } from './layout.js';
import { areSamplesKnown, monoSamples } from './samples.js';

/** Mono samples and their rate in Hz. */
export interface Recording {
  readonly pcm: Int16Array;
  readonly rate: number;
  /** Why audio of the file is missing; absent if nothing suggests missing audio. */
  readonly incomplete?: string;
}

/**
 * Returns the layout of a WAV file in memory.
 * @throws CochleaError as `walkWav` does.
 */
export const layoutIn = (bytes: Uint8Array, path: string): WavLayout => {
  const walk = walkWav(bytes.length, path);
  let step = walk.next();
  while (!step.done) step = walk.next(bytes.subarray(step.value.at, step.value.at + step.value.bytes));
  return step.value;
};

/**
 * Reads a WAV file in memory: PCM of 8, 16, 24 or 32 bits, float of 32 or 64 bits, mu-law or A-law.
 * @throws CochleaError `audio_file_unsupported` as `walkWav` does, and for samples of another format.
 */
export const readWav = (bytes: Uint8Array, path: string): Recording => {
  const { format, ranges, incomplete } = layoutIn(bytes, path);
  if (!areSamplesKnown(format)) {
    const why = `format ${format.tag} with ${format.bits} bits`;
    throw new CochleaError('audio_file_unsupported', { path, why });
  }
  const pcm = joinSamples(ranges.map(({ start, end }) => monoSamples(bytes.subarray(start, end), format)));
  return { pcm, rate: format.rate, ...(incomplete !== null && { incomplete }) };
};
