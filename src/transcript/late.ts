import type { SegmentChange, StoredSegment } from '../wire/index.js';
import { combineSegments, type IncomingSegment } from './merge.js';

/** Number of segments that are inserted between two yields. */
const betweenSteps = 16;

/**
 * Inserts late segments into a transcript by time. Each late segment is merged with the segment before it by the rules
 * of `combineSegments`. Segments that a user corrected or assigned to a person stay unchanged. The result depends only
 * on the arguments. The generator yields between bounded steps.
 * @param stored the complete transcript, in order.
 */
export function* insertLate(
  stored: readonly StoredSegment[],
  late: readonly IncomingSegment[],
): Generator<void, SegmentChange, undefined> {
  const transcript = [...stored];
  const upserts = new Set<string>();
  const deletions = new Map<string, number>();
  const known = new Set(stored.map(({ segment }) => segment.id));
  for (const [done, incoming] of [...late].sort((one, other) => one.start - other.start).entries()) {
    if (done % betweenSteps === betweenSteps - 1) yield;
    const index = transcript.findLastIndex(({ segment }) => segment.start <= incoming.start);
    const before = transcript[index] ?? null;
    const isProtected = before !== null && (before.byUser || before.segment.person_id);
    const protectedIds = new Set(isProtected ? [before.segment.id] : []);
    const { upserts: changed, deletions: absorbed } = combineSegments(before, [incoming], { protectedIds });
    for (const { id, revision } of absorbed) {
      upserts.delete(id);
      // Only stored segments need a deletion, not segments that were created in this call.
      if (known.has(id)) deletions.set(id, revision);
    }
    for (const { segment } of changed) upserts.add(segment.id);
    const isChanged = changed.some(({ segment }) => segment.id === before?.segment.id);
    const beforeStays = before !== null && absorbed.length === 0 && !isChanged;
    if (index >= 0) transcript.splice(index, 1, ...(beforeStays ? [before] : []), ...changed);
    else transcript.unshift(...changed);
  }
  return {
    upserts: inPlaces(transcript, known, upserts),
    deletions: [...deletions].map(([id, revision]) => ({ id, revision })),
  };
}

/**
 * Gives new segments positions that are evenly spaced between their stored neighbours. If too many segments were
 * inserted in one place, the precision of floating-point numbers does not suffice. In that case all segments are
 * renumbered.
 * @param known ids of stored segments.
 * @param changed ids of segments to write.
 * @returns the segments to write.
 */
const inPlaces = (
  transcript: readonly StoredSegment[],
  known: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): StoredSegment[] => {
  const positions = transcript.map(({ position }) => position);
  for (let next = 0; next < transcript.length; ) {
    const first = next;
    while (next < transcript.length && !known.has(transcript[next]!.segment.id)) next++;
    const count = next - first;
    const [before, after] = [positions[first - 1], next < transcript.length ? positions[next] : undefined];
    for (let index = 0; index < count; index++) {
      if (before === undefined) positions[first + index] = (after ?? count) - count + index;
      else if (after === undefined) positions[first + index] = before + 1 + index;
      else positions[first + index] = before + ((after - before) * (index + 1)) / (count + 1);
    }
    next++;
  }
  const isOrdered = positions.every((position, index) => index === 0 || position > positions[index - 1]!);
  return transcript.flatMap((row, index) => {
    const { id } = row.segment;
    const position = isOrdered ? positions[index]! : index;
    if (changed.has(id)) return [{ ...row, position }];
    return position === row.position ? [] : [{ ...row, position, revision: row.revision + 1 }];
  });
};
