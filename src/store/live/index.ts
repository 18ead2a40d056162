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
