/**
 * Puts the fixture speech on a timeline with pauses between utterances, and returns it with its text and the times of
 * the utterances.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Label } from '../../../src/app/wearable/lag.js';
import { readWavFile } from '../../../src/app/wearable/read-audio.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', 'fixtures', 'speech');
const rate = 16_000;

interface FixtureUtterance {
  readonly file: string;
  readonly speech_start_ms: number;
  readonly speech_end_ms: number;
  readonly text: string;
}

export const fixtureUtterances = (
  JSON.parse(readFileSync(join(folder, 'transcripts.json'), 'utf8')) as { utterances: FixtureUtterance[] }
).utterances;

export interface Scene {
  readonly rate: number;
  readonly pcm: Int16Array;
  readonly labels: readonly Label[];
  readonly text: string;
}

/**
 * Joins the chosen fixture utterances.
 * @param order indexes of utterances; repeats are allowed.
 * @param gap ms of silence before each utterance and after the last.
 */
export const scene = async (order: readonly number[], gap = 1200): Promise<Scene> => {
  const silence = new Int16Array((gap * rate) / 1000);
  const parts: Int16Array[] = [silence];
  const labels: Label[] = [];
  const texts: string[] = [];
  let at = gap;
  for (const index of order) {
    const utterance = fixtureUtterances[index]!;
    const { pcm } = await readWavFile(join(folder, utterance.file));
    labels.push({ speechStart: at + utterance.speech_start_ms, speechEnd: at + utterance.speech_end_ms });
    texts.push(utterance.text);
    parts.push(pcm, silence);
    at += (pcm.length * 1000) / rate + gap;
  }
  const whole = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return { rate, pcm: whole, labels, text: texts.join(' ') };
};
