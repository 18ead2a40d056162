import type { Segment } from './messages.js';

/** A speaker of a conversation. */
export interface SpeakerShare {
  /** The last segment of the speaker. It has the speaker's current name. */
  readonly segment: Segment;
  /** Share of the speech, in whole percent. */
  readonly percent: number;
}

/** Returns the speakers of segments, in the order in which they began to speak. */
export const sharesOf = (segments: readonly Segment[]): readonly SpeakerShare[] => {
  const speakers = new Map<number, { segment: Segment; seconds: number }>();
  let total = 0;
  for (const segment of segments) {
    const seconds = Math.max(0, segment.end - segment.start);
    total += seconds;
    const known = speakers.get(segment.speaker_id);
    if (known === undefined) speakers.set(segment.speaker_id, { segment, seconds });
    else {
      known.segment = segment;
      known.seconds += seconds;
    }
  }
  return [...speakers.values()].map(({ segment, seconds }) => ({
    segment,
    percent: total === 0 ? 0 : Math.round((seconds / total) * 100),
  }));
};
