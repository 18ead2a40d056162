import { fixedLimits } from '../../config/limits/index.js';
import { cut, type SaidSegment, type SaidTranscript, type Transcript } from '../structure/language/index.js';

/** The part of a transcript that the rules read, as one array per field. A thread receives such arrays much faster than objects. */
export interface PackedTranscript extends Omit<SaidTranscript, 'segments'> {
  readonly texts: readonly string[];
  readonly speakers: readonly number[];
  readonly users: readonly boolean[];
  /** Starts of the segments in seconds. */
  readonly starts: readonly number[];
}

/**
 * Minimum number of characters that each segment counts towards the limit `ruledText`. So the number of tiny segments
 * is limited too.
 */
const leastCharacters = 20;

/** Packs a transcript into arrays. Segments above the limit `ruledText` are left out. */
export const packed = ({ segments, ...about }: SaidTranscript | Transcript): PackedTranscript => {
  const texts: string[] = [];
  const speakers: number[] = [];
  const users: boolean[] = [];
  const starts: number[] = [];
  let left: number = fixedLimits.ruledText.value;
  for (const { text, speaker_id, is_user, start } of segments) {
    if (left <= 0) break;
    texts.push(cut(text, left));
    speakers.push(speaker_id);
    users.push(is_user);
    starts.push(start);
    left -= Math.max(leastCharacters, text.length);
  }
  return { ...about, texts, speakers, users, starts };
};

/** Unpacks a transcript. */
export const unpacked = ({ texts, speakers, users, starts, ...about }: PackedTranscript): SaidTranscript => ({
  ...about,
  segments: texts.map(
    (text, index): SaidSegment => ({
      text,
      speaker_id: speakers[index]!,
      is_user: users[index]!,
      start: starts[index]!,
    }),
  ),
});
