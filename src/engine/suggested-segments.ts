import { randomUUID } from 'node:crypto';
import { fixedLimits } from '../config/limits.js';
import { speakerLabel, speakerNumber } from '../wire/speaker-label.js';
import type { SuggestedSegment } from './client-message.js';
import { cutSegment, type SpokenSegment } from './transcript.js';

/** When and by whom a client's own segments were made. */
export interface Suggestion {
  /** The client's speech-to-text service. */
  readonly provider: string | null;
  /** Wall clock (ms) from which the client counts its times. */
  readonly origin: number;
  /** Wall clock (ms) of what has no time. */
  readonly now: number;
}

/**
 * A client's own segments as they will be stored, long ones in pieces.
 * @returns null when there would be more of them than one message may make.
 */
export const suggestedSegments = (
  list: readonly SuggestedSegment[],
  { provider, origin, now }: Suggestion,
): SpokenSegment[] | null => {
  const made: SpokenSegment[] = [];
  for (const { text, speaker = speakerLabel(0), speaker_id, start, end, is_user, person_id } of list) {
    const from = start === undefined ? now : origin + start * 1000;
    const to = end === undefined ? from : Math.max(from, origin + end * 1000);
    const whole: SpokenSegment = {
      id: randomUUID(),
      text,
      speaker,
      speakerId: speaker_id ?? speakerNumber(speaker),
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
