import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWavFile } from '../../../src/app/wearable/read-audio.js';
import { fixtureUtterances } from '../texts/speech.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', 'fixtures', 'speech');
const rate = 16_000;
/** Length of a piece in samples. */
const length = 1.2 * rate;
const step = rate / 10;
/** Least mean level of each tenth of a second, so that the detector hears the complete piece as one utterance. */
const least = 600;

const level = (pcm: Int16Array): number =>
  Math.sqrt(pcm.reduce((sum, one) => sum + one * one, 0) / pcm.length);

/** Returns pieces of real speech without pauses, mono 16 kHz. */
export const spokenPieces = async (): Promise<Int16Array[]> => {
  const pieces: Int16Array[] = [];
  for (const { file } of fixtureUtterances) {
    const { pcm } = await readWavFile(join(folder, file));
    for (let at = 0; at + length <= pcm.length; at += step) {
      const piece = pcm.subarray(at, at + length);
      const levels = Array.from({ length: length / step }, (_, part) =>
        level(piece.subarray(part * step, (part + 1) * step)),
      );
      const isLoud = Math.min(levels[0]!, levels[1]!, levels.at(-1)!, levels.at(-2)!) >= least;
      if (!isLoud || Math.max(...levels.map((one, part) => Math.max(one, levels[part + 1] ?? 0))) < least)
        continue;
      pieces.push(piece);
      at += length;
    }
  }
  return pieces;
};
