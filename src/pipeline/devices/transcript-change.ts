import { finishInSlices } from '../../common/index.js';
import type { DeviceSegment } from '../../transcript/devices/index.js';
import { insertLate, placeSegment } from '../../transcript/index.js';
import type { SegmentChange, StoredSegment } from '../../wire/index.js';

/** The segments of the other device, and the wall clock (ms) at their time 0. */
export interface OtherTranscript {
  readonly segments: readonly StoredSegment[];
  readonly startedAt: number;
}

/**
 * Changes a stored transcript to the merged transcript of two devices.
 * @param base segments that replace all stored segments. null: the stored segments stay.
 * @param added segments that are inserted by time.
 * @param startedAt wall clock (ms) at time 0 of the conversation.
 */
export const transcriptChange = async (
  stored: readonly StoredSegment[],
  base: OtherTranscript | null,
  added: readonly DeviceSegment[],
  startedAt: number,
): Promise<SegmentChange> => {
  const late = added.map((segment) => placeSegment(segment, startedAt));
  if (base === null) return finishInSlices(insertLate(stored, late));
  const shift = (base.startedAt - startedAt) / 1000;
  const moved = base.segments.map(({ segment }, position): StoredSegment => {
    const [start, end] = [segment.start + shift, segment.end + shift];
    return { segment: { ...segment, start, end }, position, revision: 1 };
  });
  const { upserts, deletions } = await finishInSlices(insertLate(moved, late));
  const segments = new Map([...moved, ...upserts].map((row) => [row.segment.id, row]));
  for (const { id } of deletions) segments.delete(id);
  const revisions = new Map(stored.map(({ segment, revision }) => [segment.id, revision]));
  return {
    upserts: [...segments.values()].map((row) => ({
      ...row,
      // An upsert replaces a stored segment only if the new revision is larger than the stored revision.
      revision: Math.max(row.revision, 1 + (revisions.get(row.segment.id) ?? 0)),
    })),
    deletions: stored
      .filter(({ segment }) => !segments.has(segment.id))
      .map(({ segment: { id }, revision }) => ({ id, revision: revision + 1 })),
  };
};
