import { randomUUID } from 'node:crypto';
import type { LiveSegment } from '../wire/index.js';
import { pieceLength, splitText } from './bounds.js';
import type { IncomingSegment } from './merge.js';

/** A word of a segment. Its start and end are in ms since the epoch. */
export interface SpokenWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A segment with wall-clock times. When the conversation of the segment is known, the times are converted to times
 * since its start.
 */
export interface SpokenSegment {
  /** Id of the segment. It is assigned only once, so storing the segment again after a failure creates no duplicate. */
  readonly id: string;
  readonly text: string;
  readonly speaker: string;
  readonly speakerId: number;
  readonly isUser: boolean;
  readonly personId: string | null;
  readonly provider: string | null;
  /** Name of the local model that decoded the words; absent for other providers. */
  readonly model?: string | undefined;
  /** Code of the language of the text, if it was detected. */
  readonly language?: string;
  /** Start of the segment, in ms since the epoch. */
  readonly from: number;
  /** End of the segment, in ms since the epoch. */
  readonly to: number;
  /** Whether the segment still needs diarization. */
  readonly unlabelled?: true;
  /**
   * The words of the text, in order. In the text, words are separated by single spaces. Absent if the times of words
   * are unknown.
   */
  readonly words?: readonly SpokenWord[];
}

/**
 * Splits a segment into pieces of bounded length and duration. If word times are known, each piece lasts from its first
 * word to its last word. Otherwise each piece gets a part of the duration in proportion to the length of its text.
 * @returns the segment itself if it is within the limits; otherwise pieces, the first with the segment's id.
 */
export const cutSegment = (segment: SpokenSegment): SpokenSegment[] => {
  const { from, text, to } = segment;
  const pieces = splitText(text, pieceLength(text.length, (to - from) / 1000));
  if (pieces.length < 2) return [segment];
  const timed = cutByWords(segment, pieces);
  if (timed !== undefined) return timed;
  const { words: _unused, ...untimed } = segment;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let said = 0;
  const wallOf = (): number => from + ((to - from) * said) / length;
  return pieces.map((piece, index) => {
    const begins = wallOf();
    said += piece.length;
    return {
      ...untimed,
      id: index === 0 ? segment.id : randomUUID(),
      text: piece,
      from: begins,
      to: wallOf(),
    };
  });
};

/**
 * Splits a segment into pieces with times from their words. @returns undefined if word times are unknown, or if a
 * cut is inside a word.
 */
const cutByWords = (segment: SpokenSegment, pieces: readonly string[]): SpokenSegment[] | undefined => {
  if (segment.words === undefined) return undefined;
  const cut: SpokenSegment[] = [];
  let next = 0;
  for (const [index, text] of pieces.entries()) {
    const words = segment.words.slice(next, next + text.split(' ').length);
    if (words.map((word) => word.text).join(' ') !== text) return undefined;
    next += words.length;
    const id = index === 0 ? segment.id : randomUUID();
    cut.push({ ...segment, id, text, words, from: words[0]!.from, to: words.at(-1)!.to });
  }
  return cut;
};

/** Converts a segment to times relative to its conversation. @param startedAt wall clock (ms) of the conversation's start */
export const placeSegment = (spoken: SpokenSegment, startedAt: number): IncomingSegment & LiveSegment => {
  const start = Math.max(0, spoken.from - startedAt) / 1000;
  const length = Math.max(0, spoken.to - spoken.from) / 1000;
  return {
    id: spoken.id,
    text: spoken.text,
    speaker: spoken.speaker,
    speaker_id: spoken.speakerId,
    is_user: spoken.isUser,
    person_id: spoken.personId,
    start: milliseconds(start),
    end: milliseconds(start + length),
    translations: [],
    speech_profile_processed: false,
    stt_provider: spoken.provider,
    stt_model: spoken.model ?? null,
  };
};

/** Rounds to milliseconds. Smaller differences come from clock inaccuracy. */
const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
