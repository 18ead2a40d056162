import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { decodedSamples } from '../decoded-samples.js';
import { fetchPart } from '../speakers/fetch-part.js';
import { fetchVoices } from '../speakers/voices.js';

/** Texts of LibriSpeech's test-other. Each has a list of its rare words. */
const texts = {
  repository: 'https://github.com/facebookresearch/fbai-speech',
  parts: ['is21_deep_bias/ref/test-other.biasing_100.tsv'],
  name: 'keyword-texts',
} as const;

const rowSchema = z.tuple([
  z.string(),
  z.string(),
  z.string().transform((list) => z.array(z.string()).parse(JSON.parse(list))),
  z.string().transform((list) => z.array(z.string()).parse(JSON.parse(list))),
]);

/** A read sentence. */
export interface ReadSentence {
  readonly name: string;
  readonly text: string;
  /** Words of the sentence that are not among the 5,000 most frequent words of LibriSpeech. */
  readonly rare: readonly string[];
  /** A hundred rare words. They include the rare words of this sentence. */
  readonly listed: readonly string[];
  /** Returns mono samples at 16 kHz. */
  readonly load: () => Promise<Int16Array>;
}

/**
 * Returns those sentences of test-other whose audio is available: ten sentences of each of ten speakers. Needs git and
 * ffmpeg.
 * @returns undefined if they cannot be fetched.
 */
export const readSentences = async (): Promise<ReadSentence[] | undefined> => {
  const voices = await fetchVoices();
  const [table] = (await fetchPart(texts)) ?? [];
  if ('skipped' in voices || table === undefined) return undefined;
  const rows = (await readFile(table, 'utf8')).trim().split('\n');
  const sentences = rows
    .map((row) => rowSchema.parse(row.split('\t')))
    .map(([name, text, rare, listed]) => {
      const speaker = dirname(name.replaceAll('-', '/')).split('/')[0]!;
      const path = join(voices.folder, speaker, `${name}.flac`);
      return { name, text, rare, listed, path, load: () => decodedSamples(path) };
    });
  const found = await Promise.all(sentences.map(({ path }) => readFile(path).then(Boolean, () => false)));
  return sentences.filter((_, index) => found[index]);
};
