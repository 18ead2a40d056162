/** Leases of conversations in progress, and writes fenced by them. */
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
