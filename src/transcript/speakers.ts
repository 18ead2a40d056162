import type { LiveSegment } from '../wire/index.js';

/** The person a segment is attributed to: the owner of the account, or a person by id. */
export type Assignee = { readonly kind: 'user' } | { readonly kind: 'person'; readonly personId: string };

export const sameAssignee = (one: Assignee, other: Assignee): boolean =>
  one.kind === 'person' && other.kind === 'person'
    ? one.personId === other.personId
    : one.kind === other.kind;

/** Attributions in one conversation. The attribution of a segment takes precedence over the attribution of its speaker. */
export interface SpeakerAssignments {
  readonly bySegment: ReadonlyMap<string, Assignee>;
  readonly bySpeaker: ReadonlyMap<number, Assignee>;
}

/**
 * Attributes one segment to a person. Attributed segments stay unchanged.
 * @returns the same object when nothing changes.
 */
export const assignSpeaker = (segment: LiveSegment, assignments: SpeakerAssignments): LiveSegment => {
  if (segment.is_user || segment.person_id !== null) return segment;
  const assignee = assignments.bySegment.get(segment.id) ?? assignments.bySpeaker.get(segment.speaker_id);
  if (assignee === undefined) return segment;
  return assignee.kind === 'user'
    ? { ...segment, is_user: true, person_id: null }
    : { ...segment, is_user: false, person_id: assignee.personId };
};

/**
 * Applies attributions to stored segments.
 * @returns only the changed segments, with the next revision.
 */
export const assignSpeakers = <Stored extends { readonly segment: LiveSegment; readonly revision: number }>(
  stored: readonly Stored[],
  assignments: SpeakerAssignments,
): Stored[] => {
  const changed: Stored[] = [];
  for (const entry of stored) {
    const segment = assignSpeaker(entry.segment, assignments);
    if (segment !== entry.segment) changed.push({ ...entry, segment, revision: entry.revision + 1 });
  }
  return changed;
};
