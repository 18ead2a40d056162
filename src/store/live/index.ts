/** Conversations in progress, leases of engines, and writes of segments that succeed only with the current epoch. */
export { type ConfirmedAudio, type DeviceClock, readAudioConfirmed } from './audio-confirmed.js';
export {
  type AudioResume,
  hasNewerAudio,
  noteAudioResumes,
  numberAudioStreams,
  removeOldResumes,
  withoutSentAgain,
} from './audio-resumes.js';
export type { StoredVoices, WrittenVoices } from './conversation-voices.js';
export {
  endedHolder,
  type Holder,
  hasEngineLease,
  isAbandoned,
  lockEndedEngine,
  removeEndedEngines,
  renewEngineLease,
} from './engine-leases.js';
export { commitChanges, commitFencedChange } from './fenced-writes.js';
export { Gathered } from './gathered.js';
export {
  beginConversation,
  endConversation,
  endOfSpeech,
  releaseLease,
  timestamp,
} from './leases.js';
export { releaseTogether } from './releases.js';
export { type Replacement, replacementOf } from './replacement.js';
export { lockReplayed, noteReplayed, removeOldReplayed, takeBackReplayed } from './replayed-spills.js';
export { type ConversationRequest, takeConversations } from './take-conversations.js';
export { newlyTaken, type PastConversation, type TakenConversation } from './taken-conversation.js';
