/** Leases of conversations in progress, and writes of segments that succeed only with the current lease. */
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
