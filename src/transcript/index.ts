export { clampConversationTimeout, conversationTimeout } from '../wire/conversation-timeout.js';
export { longestSegment, longestText, pieceLength, splitText } from './bounds.js';
export { type SilenceState, silenceElapsed } from './lifecycle.js';
export {
  type Combined,
  type CombineOptions,
  combineSegments,
  type IncomingSegment,
} from './merge.js';
export {
  hasSentenceEnd,
  isCompleteSentence,
  normaliseText,
  splitSentences,
  startsLowercase,
} from './sentences.js';
export {
  type Assignee,
  assignSpeaker,
  assignSpeakers,
  type SpeakerAssignments,
} from './speakers.js';
export {
  type MatchRule,
  matchVoice,
  type VoiceCandidate,
  type VoiceDecision,
} from './voice-match.js';
