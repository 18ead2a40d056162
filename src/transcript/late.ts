import type { StoredSegment } from '../wire/segment.js';
import { combineSegments, type IncomingSegment } from './merge.js';

/** A change of a transcript. */
export interface LateChange {
  readonly upserts: readonly StoredSegment[];
  readonly deletions: readonly { readonly id: string; readonly revision: number }[];
}

/** Segments that are put into a transcript between two steps. */
const betweenSteps = 16;

/**
 * Puts segments that come late into a transcript, in their places by time. Each is merged with the segment before it by the rules of
 * `combineSegments`; those that a user gave a person stay as they are. A pure rule that yields between bounded steps.
 * @param stored the whole transcript, in order.
 */
export function* insertLate(
  stored: readonly StoredSegment[],
  late: readonly IncomingSegment[],
): Generator<void, LateChange, undefined> {
  const transcript = [...stored];
  const upserts = new Map<string, StoredSegment>();
  const deletions = new Map<string, number>();
  const known = new Set(stored.map(({ segment }) => segment.id));
  for (const [done, incoming] of [...late].sort((one, other) => one.start - other.start).entries()) {
    if (done % betweenSteps === betweenSteps - 1) yield;
    const index = transcript.findLastIndex(({ segment }) => segment.start <= incoming.start);
    const before = transcript[index] ?? null;
    const after = transcript[index + 1];
    const protectedIds = new Set(before?.segment.person_id ? [before.segment.id] : []);
    const combined = combineSegments(before, [incoming], { protectedIds });
    const isKnown = ({ segment }: StoredSegment): boolean => segment.id === before?.segment.id;
    const changed = combined.upserts.map((upsert) =>
      isKnown(upsert) ? upsert : { ...upsert, position: positionBetween(before, after) },
    );
    for (const { id, revision } of combined.deletions) {
      upserts.delete(id);
      // A segment of this call is not stored yet.
      if (known.has(id)) deletions.set(id, revision);
    }
    for (const upsert of changed) upserts.set(upsert.segment.id, upsert);
    const beforeStays = before !== null && combined.deletions.length === 0 && !changed.some(isKnown);
    if (index >= 0) transcript.splice(index, 1, ...(beforeStays ? [before] : []), ...changed);
    else transcript.unshift(...changed);
  }
  return {
    upserts: [...upserts.values()],
    deletions: [...deletions].map(([id, revision]) => ({ id, revision })),
  };
}

const positionBetween = (before: StoredSegment | null, after: StoredSegment | undefined): number => {
  if (before === null) return after === undefined ? 0 : after.position - 1;
  return after === undefined ? before.position + 1 : (before.position + after.position) / 2;
};
