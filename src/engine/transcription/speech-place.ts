import type { WordTime } from '../../stt/shared/index.js';
import type { SpokenSegment } from '../../transcript/index.js';

/** The times of an utterance, in ms since the epoch. */
export interface SpeechPlace {
  /** Start and end of the speech, as found by the gate. */
  readonly speech: { readonly from: number; readonly to: number };
  /** Time of the utterance's first sample, which lies before the speech. */
  readonly began: number;
}

/**
 * Computes the times of an utterance's segment and of its words. If the words have no times, the segment gets the
 * times of the speech. A recogniser may start the first word at the first sample, and end the last word in the
 * silence after the speech. Word times are therefore clamped to the speech.
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
