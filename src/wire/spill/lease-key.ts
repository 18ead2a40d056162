import { v5 as uuidOfName } from 'uuid';
import type { BegunConversation } from './spill.js';

/** Namespace of the segment ids created here: a random UUID that never changes. */
const rescuedSegments = '5d0c6f2e-8f0a-4c53-9d5c-6b7e5a3f1c84';

/** Key of a lease, made of conversation id and epoch. It also names the words that one lease owner added to a segment. */
export const leaseKey = (id: string, epoch: number): string => `${id}:${epoch}`;

/**
 * Id of the separate segment for words that an owner added to a segment after another owner replaced its text. It is a UUID and
 * identical for every retry of the write.
 */
export const rescuedSegmentId = (id: string, epoch: number): string =>
  uuidOfName(leaseKey(id, epoch), rescuedSegments);

/**
 * Id of a replacement conversation for words whose own conversation id now belongs to another user. It is identical for every retry of
 * the write. It depends on the start time, so that knowing only the id does not suffice to compute it.
 */
export const rescuedConversationId = ({ id, uid, createdAt }: BegunConversation): string =>
  uuidOfName(JSON.stringify([uid, createdAt]), id);
