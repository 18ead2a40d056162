import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { packageDirectory } from '../config/data-dir.js';
import { addPinkNoise, type Label, type Recording, readWavFile } from './wearable/index.js';

const transcriptsSchema = z.object({
  sample_rate: z.number(),
  utterances: z.array(
    z.object({
      file: z.string(),
      samples: z.number(),
      speech_start_ms: z.number(),
      speech_end_ms: z.number(),
      text: z.string(),
    }),
  ),
});

/** Speech with known words and known ends. */
export interface LabelledSpeech {
  readonly recording: Recording;
  /** Start and end of each utterance, in ms from the first sample. */
  readonly labels: readonly Label[];
  /** The words of all utterances. */
  readonly text: string;
}

/** Ms of silence before the first utterance, between two utterances, and after the last. */
const lead = 1000;
const pause = 1200;
const tail = 1500;

/**
 * Joins the utterances of `fixtures/speech` in order, with silence at both ends and between them.
 * @param noise signal-to-noise ratio in dB of pink noise that is mixed over everything, pauses included; no noise when absent.
 * @throws CochleaError `file_unreadable` or `audio_file_unsupported`.
 */
export const demoSpeech = async (noise?: number): Promise<LabelledSpeech> => {
  const folder = join(packageDirectory(), 'fixtures', 'speech');
  const { sample_rate: rate, utterances } = transcriptsSchema.parse(
    JSON.parse(await readFile(join(folder, 'transcripts.json'), 'utf8')),
  );
  const samplesOf = (ms: number): number => Math.round((ms * rate) / 1000);
  const parts: Int16Array[] = [new Int16Array(samplesOf(lead))];
  const spoken: Int16Array[] = [];
  const labels: Label[] = [];
  let position = lead;
  for (const [index, utterance] of utterances.entries()) {
    const { pcm } = await readWavFile(join(folder, utterance.file));
    const { speech_start_ms: speechStart, speech_end_ms: speechEnd } = utterance;
    labels.push({ speechStart: position + speechStart, speechEnd: position + speechEnd });
    const silence = index === utterances.length - 1 ? tail : pause;
    parts.push(pcm, new Int16Array(samplesOf(silence)));
    spoken.push(pcm);
    position += (pcm.length / rate) * 1000 + silence;
  }
  const clean = joined(parts);
  const pcm = noise === undefined ? clean : addPinkNoise(clean, joined(spoken), noise);
  return { recording: { pcm, rate }, labels, text: utterances.map(({ text }) => text).join(' ') };
};

const joined = (parts: readonly Int16Array[]): Int16Array => {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
