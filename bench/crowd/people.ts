import { readFileSync } from 'node:fs';
import { encodeFrames, type Frame, type WearableCodec } from '../../src/app/wearable/encode.js';
import { readWavFile } from '../../src/app/wearable/read-audio.js';
import { checkout } from '../checkout.js';

const rate = 16_000;
/** Silence in ms between two utterances. */
const pause = 800;

interface Utterance {
  readonly file: string;
  readonly text: string;
}

/** The speech of one person. */
export interface Speech {
  readonly frames: readonly Frame[];
  readonly text: string;
}

/**
 * Returns the speech of several people. Each person reads the fixture sentences aloud in a loop, and begins with a
 * different sentence.
 * @param seconds minimum length of each person's speech.
 */
export const speeches = async (
  people: number,
  seconds: number,
  codec: WearableCodec,
  codecRate: number,
): Promise<Speech[]> => {
  const folder = new URL('fixtures/speech/', checkout);
  const { utterances } = JSON.parse(readFileSync(new URL('transcripts.json', folder), 'utf8')) as {
    utterances: Utterance[];
  };
  const recordings = await Promise.all(
    utterances.map(async ({ file }) => (await readWavFile(new URL(file, folder).pathname)).pcm),
  );
  const silence = new Int16Array((pause * rate) / 1000);
  const speechFrom = (first: number): Speech => {
    const parts: Int16Array[] = [silence];
    const texts: string[] = [];
    let samples = 0;
    for (let next = first; samples < seconds * rate; next = (next + 1) % utterances.length) {
      parts.push(recordings[next]!, silence);
      texts.push(utterances[next]!.text);
      samples += recordings[next]!.length + silence.length;
    }
    const pcm = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      pcm.set(part, at);
      at += part.length;
    }
    return { frames: encodeFrames({ pcm, rate }, codec, codecRate), text: texts.join(' ') };
  };
  const different = utterances.map((_, index) => speechFrom(index));
  return Array.from({ length: people }, (_, person) => different[person % different.length]!);
};
