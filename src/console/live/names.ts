import type { Segment } from '../stream/index.js';

/** Returns the name of a segment's speaker. @param names of the user's people by id. */
export const nameOf = (segment: Segment, names: ReadonlyMap<string, string>): string => {
  if (segment.is_user) return 'You';
  const name = segment.person_id === null ? undefined : names.get(segment.person_id);
  return name ?? `Speaker ${segment.speaker_id}`;
};
