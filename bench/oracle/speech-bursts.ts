import { readFileSync } from 'node:fs';
import { readWavFile } from '../../src/app/wearable/read-audio.js';
import { checkout } from '../checkout.js';

/** Rate of all audio of the oracle, in Hz. */
export const oracleRate = 16_000;
/** Bounds of the length of a burst, in ms. */
const lengths = { least: 1100, most: 1700 } as const;

/** Start and end of a spoken word in its file, in ms. */
type WordPlace = readonly [word: string, from: number, to: number];

/** Returns the start and end of each burst of a file. Bursts consist of whole words, and follow one another. */
const placesOf = (words: readonly WordPlace[]): (readonly [from: number, to: number])[] => {
  const places: (readonly [number, number])[] = [];
  let start = words[0]?.[1] ?? 0;
  for (const [, , to] of words) {
    if (to - start < lengths.least) continue;
    if (to - start <= lengths.most) places.push([start, to]);
    start = to;
  }
  return places;
};

/**
 * Returns short pieces of the recorded speech in `fixtures/speech` at 16 kHz, each with a few words. Each piece is long
 * enough that the detector finds it, and has no pause that would end an utterance.
 */
export const speechBursts = async (): Promise<Int16Array[]> => {
  const folder = new URL('fixtures/speech/', checkout);
  const words = JSON.parse(readFileSync(new URL('words.json', folder), 'utf8')) as Record<
    string,
    WordPlace[]
  >;
  const bursts: Int16Array[] = [];
  for (const [file, spoken] of Object.entries(words)) {
    const { pcm } = await readWavFile(new URL(file, folder).pathname);
    const sample = (ms: number): number => Math.round((ms / 1000) * oracleRate);
    for (const [from, to] of placesOf(spoken)) bursts.push(pcm.slice(sample(from), sample(to)));
  }
  return bursts;
};
