import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { addPinkNoise } from '../../audio/index.js';
import type { Recording } from '../../audio/wav/index.js';
import { joinSamples } from '../../common/index.js';
import { packageDirectory } from '../../config/process/index.js';
import { type Label, readOggFile, readWavFile } from '../wearable/index.js';

/**
 * Speech of the demo: a conversation with tasks and facts, or utterances read from a novel. The novel serves to measure
 * word error.
 */
export const demoSpeeches = ['conversation', 'novel'] as const;
export type DemoSpeech = (typeof demoSpeeches)[number];

const utterance = z.object({ speech_start_ms: z.number(), speech_end_ms: z.number(), text: z.string() });
const transcriptSchema = z.object({ file: z.string(), utterances: z.array(utterance) });
const transcriptsSchema = z.object({ utterances: z.array(utterance.extend({ file: z.string() })) });

/** Speech with known words and known utterance ends. */
export interface LabelledSpeech {
  readonly recording: Recording;
  /** Start and end of each utterance, in ms from the first sample. */
  readonly labels: readonly Label[];
  /** The words of all utterances. */
  readonly text: string;
}

/** Ms of silence before the first utterance of the novel. */
const lead = 1000;
/** Ms of silence between two utterances. */
const pause = 1200;
/** Ms of silence after the last utterance. */
const tail = 1500;

const labelOf = (
  { speech_start_ms: start, speech_end_ms: end }: z.output<typeof utterance>,
  at = 0,
): Label => ({
  speechStart: at + start,
  speechEnd: at + end,
});

const textOf = (utterances: readonly { readonly text: string }[]): string =>
  utterances.map(({ text }) => text).join(' ');

/** Reads the speech of `fixtures/conversation`, which is one file. */
const conversation = async (fixtures: string): Promise<LabelledSpeech> => {
  const folder = join(fixtures, 'conversation');
  const { file, utterances } = transcriptSchema.parse(
    JSON.parse(await readFile(join(folder, 'transcript.json'), 'utf8')),
  );
  return {
    recording: await readOggFile(join(folder, file)),
    labels: utterances.map((one) => labelOf(one)),
    text: textOf(utterances),
  };
};

/** Reads the utterances of `fixtures/speech` in order, with silence at both ends and between them. */
const novel = async (fixtures: string): Promise<LabelledSpeech> => {
  const folder = join(fixtures, 'speech');
  const { utterances } = transcriptsSchema.parse(
    JSON.parse(await readFile(join(folder, 'transcripts.json'), 'utf8')),
  );
  const rate = 16_000;
  const silence = (ms: number): Int16Array => new Int16Array((ms * rate) / 1000);
  const parts: Int16Array[] = [silence(lead)];
  const labels: Label[] = [];
  let position = lead;
  for (const [index, one] of utterances.entries()) {
    const { pcm } = await readWavFile(join(folder, one.file));
    labels.push(labelOf(one, position));
    const after = index === utterances.length - 1 ? tail : pause;
    parts.push(pcm, silence(after));
    position += (pcm.length / rate) * 1000 + after;
  }
  return { recording: { pcm: joinSamples(parts), rate }, labels, text: textOf(utterances) };
};

/**
 * Reads the demo speech.
 * @param noise signal-to-noise ratio in dB of pink noise mixed over everything, including pauses; absent: no noise.
 * @throws CochleaError `file_unreadable` or `audio_file_unsupported`.
 */
export const demoSpeech = async (speech: DemoSpeech, noise?: number): Promise<LabelledSpeech> => {
  const fixtures = join(packageDirectory(), 'fixtures');
  const clean = await (speech === 'novel' ? novel(fixtures) : conversation(fixtures));
  if (noise === undefined) return clean;
  const { pcm, rate } = clean.recording;
  const sampleAt = (ms: number): number => Math.round((ms * rate) / 1000);
  const spoken = clean.labels.map(({ speechStart, speechEnd }) =>
    pcm.subarray(sampleAt(speechStart), sampleAt(speechEnd)),
  );
  return { ...clean, recording: { pcm: addPinkNoise(pcm, joinSamples(spoken), noise), rate } };
};
