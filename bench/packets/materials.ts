import { readFileSync } from 'node:fs';
import { readWavFile } from '../../src/app/wearable/read-audio.js';
import { addPinkNoise } from '../../src/audio/pink-noise.js';
import { checkout } from '../checkout.js';
import { wearerDay } from './wearer-day.js';

/** Kind of sound around a wearable; see `materialOf`. */
export type Material = 'speech in noise' | 'quiet day' | 'meeting' | 'wearer day';

/** Ratio of speech to noise in the material `speech in noise`, in dB. */
const noiseRatio = 15;
/** Ratio of speech to the background noise of a quiet day, in dB. */
const quietRatio = 55;
/** Ratio of speech to the background noise of a meeting, in dB. */
const meetingRatio = 25;
/** Seconds of pause before each speaker turn of a meeting. After the last value, the first one follows again. */
const meetingPauses = [0.4, 2.5, 0.8, 6, 1.2, 3, 0.3, 9];

const join = (parts: readonly Int16Array[]): Int16Array => {
  const whole = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** Returns the utterances of the fixtures at 16 kHz. */
export const readUtterances = async (): Promise<Int16Array[]> => {
  const folder = new URL('fixtures/speech/', checkout);
  const { utterances } = JSON.parse(readFileSync(new URL('transcripts.json', folder), 'utf8')) as {
    utterances: { file: string }[];
  };
  return Promise.all(
    utterances.map(async ({ file }) => (await readWavFile(new URL(file, folder).pathname)).pcm),
  );
};

/** Joins the utterances, each after half a second of silence. */
const asSpeech = (utterances: readonly Int16Array[]): Int16Array => {
  const pause = new Int16Array(8000);
  return join(utterances.flatMap((pcm) => [pause, pcm]));
};

const repeat = (pcm: Int16Array, samples: number): Int16Array => {
  const whole = new Int16Array(samples);
  for (let at = 0; at < samples; at += pcm.length)
    whole.set(pcm.subarray(0, Math.min(pcm.length, samples - at)), at);
  return whole;
};

/**
 * Makes a quiet day. Each minute has six seconds of speech in noise, then 27 s of a quiet place, then 27 s of digital
 * silence.
 */
const quietDay = (speech: Int16Array, samples: number): Int16Array => {
  const talk = addPinkNoise(speech.subarray(0, 96_000), speech, noiseRatio, 2);
  const quiet = addPinkNoise(new Int16Array(432_000), speech, quietRatio, 3);
  return repeat(join([talk, quiet, new Int16Array(432_000)]), samples);
};

/** Makes a meeting: speaker turns with pauses of different lengths. Speech takes 60 % of the time. */
const meeting = (utterances: readonly Int16Array[], samples: number): Int16Array => {
  const turns: Int16Array[] = [];
  let length = 0;
  for (let turn = 0; length < samples; turn++) {
    const pause = new Int16Array(meetingPauses[turn % meetingPauses.length]! * 16_000);
    const pcm = utterances[(turn * 3) % utterances.length]!;
    turns.push(pause, pcm);
    length += pause.length + pcm.length;
  }
  return addPinkNoise(join(turns).subarray(0, samples), asSpeech(utterances), meetingRatio, 4);
};

/**
 * Returns audio of a material at 16 kHz, mono. The samples are the same on every machine.
 * @param duration length in seconds.
 */
export const materialOf = async (material: Material, duration: number): Promise<Int16Array> => {
  const utterances = await readUtterances();
  const speech = asSpeech(utterances);
  const samples = duration * 16_000;
  if (material === 'quiet day') return quietDay(speech, samples);
  if (material === 'meeting') return meeting(utterances, samples);
  if (material === 'wearer day') return repeat(wearerDay(utterances).pcm, samples);
  const pcm = repeat(speech, samples);
  return addPinkNoise(pcm, pcm, noiseRatio);
};
