import { v5 as uuidOfName } from 'uuid';
import type { BegunConversation } from './spill.js';

/** Namespace of the segment ids created here: a random UUID that never changes. */
const rescuedSegments = '5d0c6f2e-8f0a-4c53-9d5c-6b7e5a3f1c84';

/**
 * Returns the key of a lease, made of conversation id and epoch. With a segment id it also identifies the words that
 * one lease owner added to the segment.
 */
export const leaseKey = (id: string, epoch: number): string => `${id}:${epoch}`;

/**
 * Returns the id of the separate segment for words that a lease owner added to a segment after another owner had
 * replaced its text. The id is a UUID, and the same for every retry of the write.
 */
export const rescuedSegmentId = (id: string, epoch: number): string =>
  uuidOfName(leaseKey(id, epoch), rescuedSegments);

/**
 * Returns the id of a new conversation for words when their conversation's id now belongs to another user. The result
 * is the same for every retry of the write. It depends on uid and start time, so it cannot be computed from the old id
 * alone.
 */
export const rescuedConversationId = ({ id, uid, createdAt }: BegunConversation): string =>
  uuidOfName(JSON.stringify([uid, createdAt]), id);
