import { sampleRate, type WordTime } from '../shared/index.js';

/**
 * Whisper sometimes ends its text with a sentence although speech follows it. Such a text is known by its last word, which ends long before the
 * audio does: the gate leaves at most 300 ms of silence behind speech, and ends an utterance in which a pause is longer than 600 ms.
 */

/** Ms of audio behind the last word from which on the text is taken to lack something. */
const leastRest = 1200;
/** Ms behind the last word within which the quietest place is looked for, and the length of such a place. */
const searched = 500;
const place = 20;

const samplesPerMs = sampleRate / 1000;

/**
 * Where the speech begins that a text lacks at its end: in the quietest place soon behind its last word.
 * @param words those of the text, in ms from the first sample.
 * @param pcm mono 16 kHz, what was transcribed; only read.
 * @returns the sample; undefined where the text goes up to the end, or where its times are not known.
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
