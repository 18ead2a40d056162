import { randomUUID } from 'node:crypto';
import { fixedLimits } from '../../config/limits/index.js';
import { cutSegment, type SpokenSegment } from '../../transcript/index.js';
import { latestClientTime, speakerLabel } from '../../wire/index.js';
import type { SuggestedSegment } from '../shared/index.js';

/** When and by whom a client's own segments were made. */
export interface Suggestion {
  /** The client's speech-to-text service. */
  readonly provider: string | null;
  /** Wall clock (ms) from which the client counts its times. */
  readonly origin: number;
  /** Wall clock (ms) of segments without a time. */
  readonly now: number;
  /** Numbers the speakers of the conversation. */
  readonly numberOf: (label: string, given?: number) => number;
}

/** A later time is none of a stream, and its segment is placed where it arrives. */
const known = (time: number | undefined): number | undefined =>
  time !== undefined && time <= latestClientTime ? time : undefined;

/**
 * A client's own segments as they will be stored, long ones in pieces.
 * @returns null when there would be more of them than one message may make.
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
