import { decodedSamples } from '../decoded-samples.js';
import { seeded, shuffled } from '../seeded.js';
import type { Pauses } from '../words/material.js';
import type { KeptTexts } from './kept-texts.js';
import type { Trigrams } from './likeness.js';
import { type Loop, loopOf } from './loop.js';
import { recordings } from './recordings.js';
import { deal } from './sentences.js';

export interface SpeakersOptions {
  /** Number of streams, divided evenly among the languages. */
  readonly speakers: number;
  readonly languages: readonly string[];
  /** Number of sentences in each stream. */
  readonly sentences: number;
  readonly pauses: Pauses;
  readonly seed: number;
  /** Returns the text that the best model writes for samples at 16 kHz. */
  readonly textOf: (pcm: Int16Array, language: string) => Promise<string>;
  readonly texts: KeptTexts;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Chooses and encodes the speech of each stream. Each stream has one voice, and sentences that no other stream has. */
export const prepareSpeakers = async (
  options: SpeakersOptions,
): Promise<{ uid: string; language: string; loop: Loop }[]> => {
  const { speakers, languages, sentences: each, pauses, seed, textOf, texts, tell, signal } = options;
  const random = seeded(seed);
  const chosen: Trigrams[] = [];
  const all: { uid: string; language: string; loop: Loop }[] = [];
  for (const [place, language] of languages.entries()) {
    const streams = Math.floor((speakers + languages.length - 1 - place) / languages.length);
    tell(`sentences in ${language}, for ${streams} streams`);
    const candidates = shuffled(await recordings[language]!(), random);
    const dealt = await deal({
      language,
      streams,
      each,
      candidates,
      samplesOf: decodedSamples,
      textOf: (path, pcm, spoken) => texts.of(path, () => textOf(pcm, spoken)),
      chosen,
      signal,
    });
    await texts.write();
    for (const [number, sentences] of dealt.entries())
      all.push({ uid: `${language}-${number}`, language, loop: loopOf(sentences, pauses, random) });
  }
  return all;
};
