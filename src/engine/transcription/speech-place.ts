import type { WordTime } from '../../stt/shared/index.js';
import type { SpokenSegment } from '../../transcript/index.js';

/** Where an utterance lies in time; ms since the epoch. */
export interface SpeechPlace {
  /** When its speech began and ended, as the gate found it. */
  readonly speech: { readonly from: number; readonly to: number };
  /** Its first sample, which lies before its speech. */
  readonly began: number;
}

/**
 * The times of an utterance's segment: of its first and of its last word, and of each word, where the recogniser told them. A recogniser lets the
 * first word begin with the audio, and what it finds at the end may lie in the silence behind it, so no word lies outside the speech.
 */
export const timesOf = (
  words: readonly WordTime[],
  { speech, began }: SpeechPlace,
): Pick<SpokenSegment, 'from' | 'to' | 'words'> => {
  if (words.length === 0) return speech;
  const within = (wall: number): number => Math.min(speech.to, Math.max(speech.from, wall));
  const spoken = words.map(({ text, start, end }) => ({
    text,
    from: within(began + start),
    to: within(began + end),
  }));
  return { from: spoken[0]!.from, to: spoken.at(-1)!.to, words: spoken };
};
