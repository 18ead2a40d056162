import { randomUUID } from 'node:crypto';
import { fixedLimits } from '../../config/limits/index.js';
import { cutSegment, type SpokenSegment } from '../../transcript/index.js';
import { latestClientTime, speakerLabel } from '../../wire/index.js';
import type { SuggestedSegment } from '../shared/index.js';

/** Provider, times and speakers for the segments that a client transcribed itself. */
export interface Suggestion {
  /** The client's speech-to-text service. */
  readonly provider: string | null;
  /** Wall clock (ms) that is time 0 of the client's segments. */
  readonly origin: number;
  /** Wall clock (ms) of the message; used for segments without a time. */
  readonly now: number;
  /** Returns the speaker number of a label within the conversation. */
  readonly numberOf: (label: string, given?: number) => number;
}

/** Returns the time of a segment; undefined if it is missing, or so late that no stream can reach it. */
const known = (time: number | undefined): number | undefined =>
  time !== undefined && time <= latestClientTime ? time : undefined;

/**
 * Converts segments that a client transcribed itself to segments that can be stored, and splits long segments.
 * @returns null if one message would create too many segments.
 */
export const suggestedSegments = (
  list: readonly SuggestedSegment[],
  { provider, origin, now, numberOf }: Suggestion,
): SpokenSegment[] | null => {
  const made: SpokenSegment[] = [];
  for (const { text, speaker_id, is_user, person_id, ...given } of list) {
    const { speaker = speakerLabel(speaker_id ?? 0) } = given;
    const [start, end] = [known(given.start), known(given.end)];
    const from = start === undefined ? now : origin + start * 1000;
    const to = end === undefined ? from : Math.max(from, origin + end * 1000);
    const whole: SpokenSegment = {
      id: randomUUID(),
      text,
      speaker,
      speakerId: numberOf(speaker, speaker_id),
      isUser: is_user ?? false,
      personId: person_id ?? null,
      provider,
      from,
      to,
    };
    made.push(...cutSegment(whole));
    if (made.length > fixedLimits.suggestedSegments.value) return null;
  }
  return made;
};
