import type { LiveSegment } from '../wire/index.js';

/** The person to whom a segment is assigned: the owner of the account, or a person by id. */
export type Assignee = { readonly kind: 'user' } | { readonly kind: 'person'; readonly personId: string };

export const sameAssignee = (one: Assignee, other: Assignee): boolean =>
  one.kind === 'person' && other.kind === 'person'
    ? one.personId === other.personId
    : one.kind === other.kind;

/** Assignments in one conversation. The assignment of a segment takes precedence over the assignment of its speaker. */
export interface SpeakerAssignments {
  readonly bySegment: ReadonlyMap<string, Assignee>;
  readonly bySpeaker: ReadonlyMap<number, Assignee>;
}

/**
 * Assigns one segment to a person. A segment that already has a person stays unchanged.
 * @returns the same object if nothing changes.
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
 * Applies assignments to stored segments.
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
