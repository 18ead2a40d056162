import { v5 as uuidOfName } from 'uuid';
import type { BegunConversation } from './spill.js';

/** Namespace of the segment ids that `rescuedSegmentId` makes: a random UUID that never changes. */
const rescuedSegments = '5d0c6f2e-8f0a-4c53-9d5c-6b7e5a3f1c84';

/**
 * Returns the key of a lease: conversation id and epoch. Together with a segment id, the key identifies the words that
 * one lease owner added to the segment.
 */
export const leaseKey = (id: string, epoch: number): string => `${id}:${epoch}`;

/**
 * Returns the id of a separate segment for rescued words. A lease owner added these words to a segment, but another
 * owner has replaced the segment's text. The id is a UUID, and equal for every retry of the write.
 */
export const rescuedSegmentId = (id: string, epoch: number): string =>
  uuidOfName(leaseKey(id, epoch), rescuedSegments);

/**
 * Returns the id of a new conversation for words whose conversation id now belongs to another user. The result is equal
 * for every retry of the write. It depends on uid and start time, so the old id alone is not enough to compute it.
 */
export const rescuedConversationId = ({ id, uid, createdAt }: BegunConversation): string =>
  uuidOfName(JSON.stringify([uid, createdAt]), id);
