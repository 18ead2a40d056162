import { encodeFrames, type Frame } from '../../src/app/wearable/encode.js';
import { joinSamples } from '../../src/common/index.js';
import type { Pauses } from '../words/material.js';
import type { Sentence } from './sentences.js';

const rate = 16_000;
const codec = 'opus_fs320';

/** Text of a sentence in a stream, with its start and end in ms since the first sample. */
export interface PlacedSentence {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The speech that one stream repeats. */
export interface Loop {
  readonly frames: readonly Frame[];
  readonly sentences: readonly PlacedSentence[];
  /** Length in ms. */
  readonly duration: number;
}

/** Encodes sentences in Opus, one after the other, each followed by a pause. */
export const loopOf = (
  sentences: readonly Sentence[],
  { least, most }: Pauses,
  random: () => number,
): Loop => {
  const parts: Int16Array[] = [];
  const placed: PlacedSentence[] = [];
  let length = 0;
  for (const { pcm, text } of sentences) {
    const pause = Math.round(((least + (most - least) * random()) * rate) / 1000);
    placed.push({ from: (length * 1000) / rate, to: ((length + pcm.length) * 1000) / rate, text });
    parts.push(pcm, new Int16Array(pause));
    length += pcm.length + pause;
  }
  const pcm = joinSamples(parts);
  const frames = encodeFrames({ pcm, rate }, codec, rate);
  return { frames, sentences: placed, duration: frames.reduce((sum, { duration }) => sum + duration, 0) };
};

/** Returns the sentences of a loop that a stream repeated. @param sent ms of audio that the stream sent. */
export const repeated = ({ sentences, duration }: Loop, sent: number): PlacedSentence[] =>
  Array.from({ length: Math.ceil(sent / duration) }, (_, round) =>
    sentences.map(({ from, to, text }) => ({
      from: from + round * duration,
      to: to + round * duration,
      text,
    })),
  )
    .flat()
    .filter(({ to }) => to <= sent);
