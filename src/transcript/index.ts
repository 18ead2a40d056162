export { clampConversationTimeout } from '../wire/conversation-timeout.js';
export { Agreement, sameWord } from './agreement.js';
export { longestSegment, longestText, pieceLength, splitText } from './bounds.js';
export { type DeviceSegment, type DeviceTranscript, mergeDevices } from './devices/index.js';
export { type KeptText, type TimedText, withoutDuplicates } from './duplicates/index.js';
export { insertLate } from './late.js';
export { silenceElapsed } from './lifecycle.js';
export { type Combined, type CombineOptions, combineSegments, type IncomingSegment } from './merge.js';
export { introducedLanguages, introducedName } from './names/index.js';
export {
  hasSentenceEnd,
  isCompleteSentence,
  normaliseText,
  splitSentences,
  startsLowercase,
} from './sentences.js';
export { SpeakerNumbers } from './speaker-numbers.js';
export {
  type Assignee,
  assignSpeaker,
  assignSpeakers,
  type SpeakerAssignments,
  sameAssignee,
} from './speakers.js';
export { cutSegment, placeSegment, type SpokenSegment, type SpokenWord } from './spoken.js';
export {
  addWindow,
  joinVoice,
  knowVoices,
  noVoices,
  type RevisedVoice,
  type Voice,
  type VoiceMove,
  type VoiceRule,
  type VoiceState,
  type VoiceWindow,
} from './voice-clusters.js';
export { type MatchRule, matchVoice, type VoiceCandidate } from './voice-match.js';
export type { WindowGroup } from './voice-path.js';
export { type RevisionRule, reviseVoices } from './voice-revision.js';
export { cutByVoice, type LabelledWindow, voiceOf, windowAt } from './voice-spans.js';
export { cosine, meanOf, scaled } from './voice-vectors.js';
