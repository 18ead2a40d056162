import type { Journal, Lease, SegmentQuestion } from '../../journal/index.js';
import type { StoredSegment } from '../../wire/index.js';

/** Stored segments that are read, and written again, at once. */
const segmentsAtOnce = 500;

/** Stored segments of a conversation beyond those that are kept in memory. */
export interface EarlierSegments {
  readonly segments: readonly StoredSegment[];
  /** What is not among them: nothing, all while they cannot be read, or those behind a position. */
  readonly rest: 'none' | 'unavailable' | { readonly after: number };
}

export const noEarlierSegments: EarlierSegments = { segments: [], rest: 'none' };

/** Reads a part of the stored segments that a question names. */
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
