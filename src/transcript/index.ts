/** Rules for transcripts, as functions without side effects: merging, splitting, speakers, voices, lifecycle. */
export { Agreement, sameWord } from './agreement.js';
export { insertLate } from './late.js';
export { silenceElapsed } from './lifecycle.js';
export { type Combined, type CombineOptions, combineSegments, type IncomingSegment } from './merge.js';
export { hasSentenceEnd, splitSentences } from './sentences.js';
export { SpeakerNumbers } from './speaker-numbers.js';
export {
  type Assignee,
  assignSpeaker,
  assignSpeakers,
  type SpeakerAssignments,
  sameAssignee,
} from './speakers.js';
export { cutSegment, placeSegment, type SpokenSegment } from './spoken.js';
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
export { type MatchRule, matchVoice } from './voice-match.js';
export { type RevisionRule, reviseVoices } from './voice-revision.js';
export { cutByVoice, type LabelledWindow, voiceOf } from './voice-spans.js';
export { cosine, meanOf, scaled } from './voice-vectors.js';
