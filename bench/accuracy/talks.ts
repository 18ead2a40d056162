import { joinSamples } from '../../src/common/index.js';
import type { ReadSentence } from '../keywords/material.js';
import { seeded } from '../seeded.js';
import { type Pauses, shortPauses } from '../words/material.js';

export type SpokenLanguage = 'en' | 'fr';

/** A spoken sentence. Its samples are mono at 16 kHz. */
export type Sentence = Pick<ReadSentence, 'name' | 'text' | 'load'>;

/** A sentence of a talk, with its start and end in ms from the first sample of the talk. */
export interface PlacedSentence {
  readonly text: string;
  readonly language: SpokenLanguage;
  readonly from: number;
  readonly to: number;
}

/** A recording of sentences one after the other, with pauses. */
export interface Talk {
  readonly name: string;
  readonly rate: number;
  readonly pcm: Int16Array;
  readonly sentences: readonly PlacedSentence[];
}

/** Some sentences of one language, and the silence in ms after them. */
export interface Block {
  readonly language: SpokenLanguage;
  readonly sentences: readonly Sentence[];
  readonly silence: number;
}

const rate = 16_000;
const samplesPerMs = rate / 1000;
/** Ms of silence before the first sentence. */
const before = 1000;
/** Ms of silence after the last sentence. */
export const silenceAfter = 1000;

/**
 * Joins blocks into a talk.
 * @param seed determines the lengths of the pauses between the sentences of a block.
 */
export const talkOf = async (
  name: string,
  blocks: readonly Block[],
  seed: number,
  { least, most }: Pauses = shortPauses,
): Promise<Talk> => {
  const random = seeded(seed);
  const parts: Int16Array[] = [new Int16Array(before * samplesPerMs)];
  const placed: PlacedSentence[] = [];
  let samples = parts[0]!.length;
  for (const { language, sentences, silence } of blocks)
    for (const [index, { text, load }] of sentences.entries()) {
      const pcm = await load();
      const from = samples / samplesPerMs;
      placed.push({ text, language, from, to: from + pcm.length / samplesPerMs });
      const isLast = index === sentences.length - 1;
      const pause = isLast ? silence : Math.round(least + (most - least) * random());
      parts.push(pcm, new Int16Array(pause * samplesPerMs));
      samples += pcm.length + pause * samplesPerMs;
    }
  const pcm = joinSamples(parts);
  return { name, rate, pcm, sentences: placed };
};
