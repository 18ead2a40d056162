import { v5 as uuidOfName } from 'uuid';
import type { BegunConversation } from './spill.js';

/** Namespace of the segment ids that `rescuedSegmentId` makes: a random UUID that never changes. */
const rescuedSegments = '5d0c6f2e-8f0a-4c53-9d5c-6b7e5a3f1c84';

/** Returns the key of a lease: conversation id and epoch. */
export const leaseKey = (id: string, epoch: number): string => `${id}:${epoch}`;

/**
 * Returns the id of the separate segment for rescued words: words that the holder of an earlier lease added to a
 * segment whose text a later holder has replaced. The id is a UUID. Every retry of the write gets the same id.
 */
export const rescuedSegmentId = (id: string, epoch: number): string =>
  uuidOfName(leaseKey(id, epoch), rescuedSegments);

/**
 * Returns the id of a new conversation for words whose conversation id now belongs to another user. Every retry of the
 * write gets the same id. The id depends on uid and creation time, so the old id alone is not enough to compute it.
 */
export const rescuedConversationId = ({ id, uid, createdAt }: BegunConversation): string =>
  uuidOfName(JSON.stringify([uid, createdAt]), id);
