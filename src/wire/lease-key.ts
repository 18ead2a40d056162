import { v5 as uuidOfName } from 'uuid';

/** Namespace of the segment ids made here; drawn once. */
const rescuedSegments = '5d0c6f2e-8f0a-4c53-9d5c-6b7e5a3f1c84';

/** Names a lease, or what one owner of a conversation added to a segment: an id may have had several epochs. */
export const leaseKey = (id: string, epoch: number): string => `${id}:${epoch}`;

/**
 * Id of the segment that keeps what an owner of this epoch added to a segment whose text another owner replaced. A
 * UUID like every segment's, and the same for every repetition of the write.
 */
export const rescuedSegmentId = (id: string, epoch: number): string =>
  uuidOfName(leaseKey(id, epoch), rescuedSegments);
