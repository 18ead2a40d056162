import type { Journal, Lease, SegmentQuestion } from '../../journal/index.js';
import type { StoredSegment } from '../../wire/index.js';

/** Maximum number of stored segments that one query reads and one statement writes. */
const segmentsAtOnce = 500;

/** Stored segments of a conversation that are not in memory. */
export interface EarlierSegments {
  readonly segments: readonly StoredSegment[];
  /**
   * Tells which segments are still unread: `none`, all segments after the position `after`, or `unavailable` if the
   * database could not be reached.
   */
  readonly rest: 'none' | 'unavailable' | { readonly after: number };
}

export const noEarlierSegments: EarlierSegments = { segments: [], rest: 'none' };

/** Reads the next part of the stored segments that a query selects. */
export const readEarlier = async (
  journal: Pick<Journal, 'earlierSegments'>,
  lease: Lease,
  question: Omit<SegmentQuestion, 'limit'>,
): Promise<EarlierSegments> => {
  const segments = await journal.earlierSegments(lease, { ...question, limit: segmentsAtOnce });
  if (segments === null) return { segments: [], rest: 'unavailable' };
  if (segments.length < segmentsAtOnce) return { segments, rest: 'none' };
  return { segments, rest: { after: segments.at(-1)!.position } };
};
