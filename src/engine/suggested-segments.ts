import { randomUUID } from 'node:crypto';
import { speakerLabel, speakerNumber } from '../wire/speaker-label.js';
import type { SuggestedSegment } from './client-message.js';
import type { SpokenSegment } from './transcript.js';

/** When and by whom a client's own segments were made. */
export interface Suggestion {
  /** The client's speech-to-text service. */
  readonly provider: string | null;
  /** Wall clock (ms) from which the client counts its times. */
  readonly origin: number;
  /** Wall clock (ms) of what has no time. */
  readonly now: number;
}

/** A client's own segments in wall-clock time. */
export const suggestedSegments = (
  list: readonly SuggestedSegment[],
  { provider, origin, now }: Suggestion,
): SpokenSegment[] =>
  list.map(({ text, speaker = speakerLabel(0), speaker_id, start, end, is_user, person_id }) => {
    const from = start === undefined ? now : origin + start * 1000;
    return {
      id: randomUUID(),
      text,
      speaker,
      speakerId: speaker_id ?? speakerNumber(speaker),
      isUser: is_user ?? false,
      personId: person_id ?? null,
      provider,
      from,
      to: end === undefined ? from : Math.max(from, origin + end * 1000),
    };
  });
