import { v5 as uuidOfName } from 'uuid';
import type { BegunConversation } from './spill.js';

/** Namespace of the segment ids made here: a random UUID that never changes. */
const rescuedSegments = '5d0c6f2e-8f0a-4c53-9d5c-6b7e5a3f1c84';

/** Key of a lease, made of conversation id and epoch; also the name of what one owner added to a segment. */
export const leaseKey = (id: string, epoch: number): string => `${id}:${epoch}`;

/**
 * Id of the separate segment with the words that an owner of this epoch added to a segment whose text another owner replaced.
 * It is a UUID like every segment's, and the same for every repetition of the write.
 */
export const rescuedSegmentId = (id: string, epoch: number): string =>
  uuidOfName(leaseKey(id, epoch), rescuedSegments);

/**
 * Id of the conversation that keeps the words of one whose own id another user has by now. It is the same for every repetition of the write. Who
 * knows the id alone cannot compute it: the moment of the beginning is a part of it.
 */
export const rescuedConversationId = ({ id, uid, createdAt }: BegunConversation): string =>
  uuidOfName(JSON.stringify([uid, createdAt]), id);
