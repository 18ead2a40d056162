/** Leases of conversations in progress, and the writes of segments that a lease fences. */
export { commitChanges, commitFencedChange } from './fenced-writes.js';
export {
  beginConversation,
  endConversation,
  endOfSpeech,
  type Holder,
  newlyTaken,
  type PastConversation,
  releaseLease,
  renewLeases,
  type TakenConversation,
  takeConversation,
  timestamp,
} from './leases.js';
