import { sampleRate, type WordTime } from '../shared/index.js';

/**
 * Detects speech that is missing at the end of a text. Whisper sometimes ends its text after a sentence although speech
 * follows. The last word then ends long before the end of the audio. The gate leaves at most 300 ms of silence after
 * speech, and ends an utterance at a pause of at least 600 ms.
 */

/** If at least this much audio (in ms) follows the last word, the text counts as incomplete. */
const leastRest = 1200;
/** The missing speech begins at the quietest stretch of `place` ms within the `searched` ms after the last word. */
const searched = 500;
const place = 20;

const samplesPerMs = sampleRate / 1000;

/**
 * Finds where the missing speech of an incomplete text begins. This is the middle of the quietest stretch shortly after
 * its last word.
 * @param words words of the text, in ms from the first sample.
 * @param pcm mono, 16 kHz, the transcribed audio; only read.
 * @returns the index of the first sample. Undefined if the text is complete, or if its times are unknown.
 */
export const unreadRest = (words: readonly WordTime[], pcm: Int16Array): number | undefined => {
  const end = words.at(-1)?.end;
  if (end === undefined || pcm.length / samplesPerMs - end < leastRest) return undefined;
  let found = end;
  let least = Number.POSITIVE_INFINITY;
  for (let from = end; from < end + searched; from += place) {
    let sum = 0;
    for (let index = from * samplesPerMs; index < (from + place) * samplesPerMs; index++)
      sum += Math.abs(pcm[index]!);
    if (sum >= least) continue;
    least = sum;
    found = from;
  }
  return Math.round((found + place / 2) * samplesPerMs);
};
