export { clampConversationTimeout } from '../wire/conversation-timeout.js';
export { longestSegment, longestText, pieceLength, splitText } from './bounds.js';
export { silenceElapsed } from './lifecycle.js';
export { type Combined, combineSegments, type IncomingSegment } from './merge.js';
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
export { type MatchRule, matchVoice, type VoiceCandidate } from './voice-match.js';
