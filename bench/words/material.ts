import { readFileSync } from 'node:fs';
import { normaliseWords } from '../../src/app/sample/word-error.js';
import { readWavFile } from '../../src/app/wearable/read-audio.js';
import { joinSamples } from '../../src/common/index.js';
import { checkout } from '../checkout.js';
import { seeded } from '../seeded.js';

/** A spoken word and its end in the recording. */
export interface SpokenWord {
  readonly word: string;
  /** Ms at which the word ends. */
  readonly end: number;
  /** Whether the word is the last one of an utterance. */
  readonly last: boolean;
}

/** Minimum and maximum ms between two utterances. All lengths between these two are equally likely. */
export interface Pauses {
  readonly least: number;
  readonly most: number;
}

/** Pauses of a person who hardly pauses. */
export const shortPauses: Pauses = { least: 150, most: 500 };

/** Continuous speech of one person, with the end of each word. */
export interface Reading {
  readonly rate: number;
  readonly pcm: Int16Array;
  readonly words: readonly SpokenWord[];
}

const folder = new URL('fixtures/speech/', checkout);
const rate = 16_000;
const samplesPerMs = rate / 1000;
/** Ms of silence before the first word, and after the last word. */
const silence = 1000;

const fixture = <Content>(name: string): Content =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Content;

/**
 * Returns the normalised words of an alignment, with their ends. If normalisation splits a word, its parts have the
 * same end.
 */
const alignedWords = (
  aligned: readonly (readonly [string, number, number])[],
): Pick<SpokenWord, 'word' | 'end'>[] =>
  aligned.flatMap(([word, , end]) => normaliseWords(word).map((one) => ({ word: one, end })));

/** Returns the fixture utterances with unchanged audio. The ends of their words count in ms from the first sample. */
export const fixtureUtterances = async (): Promise<
  { pcm: Int16Array; words: Pick<SpokenWord, 'word' | 'end'>[] }[]
> => {
  const aligned = fixture<Record<string, readonly (readonly [string, number, number])[]>>('words.json');
  return Promise.all(
    Object.entries(aligned).map(async ([file, words]) => ({
      pcm: (await readWavFile(new URL(file, folder).pathname)).pcm,
      words: alignedWords(words),
    })),
  );
};

/**
 * Returns the fixture utterances one after the other, in the order of the novel.
 * @param seconds minimum length of the speech.
 * @param seed determines the first utterance and the lengths of the pauses.
 */
export const readingOf = async (
  seconds: number,
  seed: number,
  { least, most }: Pauses = shortPauses,
): Promise<Reading> => {
  const { utterances } = fixture<{
    utterances: { file: string; speech_start_ms: number; speech_end_ms: number; text: string }[];
  }>('transcripts.json');
  const aligned = fixture<Record<string, readonly (readonly [string, number, number])[]>>('words.json');
  const random = seeded(seed);
  const parts: Int16Array[] = [new Int16Array(silence * samplesPerMs)];
  const words: SpokenWord[] = [];
  let at = silence;
  for (let index = seed; at < seconds * 1000; index++) {
    const { file, speech_start_ms, speech_end_ms } = utterances[index % utterances.length]!;
    const { pcm } = await readWavFile(new URL(file, folder).pathname);
    const [from, to] = [speech_start_ms * samplesPerMs, speech_end_ms * samplesPerMs];
    const pause = Math.round(least + (most - least) * random());
    parts.push(pcm.subarray(from, to), new Int16Array(pause * samplesPerMs));
    const spoken = alignedWords(aligned[file]!).map(({ word, end }) => ({
      word,
      end: at + Math.min(end, speech_end_ms) - speech_start_ms,
    }));
    for (const [place, one] of spoken.entries()) words.push({ ...one, last: place === spoken.length - 1 });
    at += speech_end_ms - speech_start_ms + pause;
  }
  parts.push(new Int16Array(silence * samplesPerMs));
  const pcm = joinSamples(parts);
  return { rate, pcm, words };
};
