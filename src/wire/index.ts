/**
 * Types and bounds of the data that threads and processes exchange: segments, streams, codecs, parameters of the gate,
 * records, labels, scopes, steps and paths.
 */
export { areMilliseconds, latestClientTime } from './client-times.js';
export { clampConversationTimeout, conversationTimeout } from './conversation-timeout.js';
export {
  eventComment,
  eventStreamPaths,
  holdHeader,
  opensOlderStream,
  type ToolServerPath,
  toolServerPaths,
} from './event-stream.js';
export { type GateNumbers, usualGate } from './gate.js';
export { keepAliveBytes, longestBurst, longestPacket, pacePackets } from './keep-alive.js';
export {
  joinKeywords,
  keywordBounds,
  keywordRefusal,
  type ReadKeywords,
  readKeywords,
  readKeywordText,
} from './keywords.js';
export { automaticLanguage, givenLanguage, storedLanguage } from './language.js';
export { LostFrames, type LostRun, readLost } from './lost-frames.js';
export { type ProviderName, providerNamed, providerNames } from './provider-name.js';
export { type DeveloperScope, developerScopes, type McpScope, mcpScopes } from './scopes.js';
export { emptySegment, type LiveSegment, type SegmentChange, type StoredSegment } from './segment.js';
export { conversationSources } from './source.js';
export { numberIn, numberSpeakers, speakerLabel } from './speaker-label.js';
export { type SpeechModelName, speechModelNames } from './speech-model.js';
export { onceSteps, type StepName, type StepRun, stepNames } from './step.js';
export {
  type AudioNeed,
  type AudioPosition,
  type CloseNotice,
  type Codec,
  codecs,
  type NewestWords,
  type OpenRequest,
  type ShardLink,
  type ShardMessage,
  type StreamFormat,
} from './stream.js';
export type {
  FromTranslation,
  ToTranslation,
  TranslatedSegment,
  Translation,
  UntranslatedSegment,
} from './translation.js';
export {
  enrolmentPath,
  importPath,
  isConsolePath,
  uploadPath,
  uploadPaths,
  voiceChatPath,
  voicePaths,
  voiceStreamPath,
  voiceTranscriptionPath,
} from './upload-path.js';
export { type VoiceStreamLine, voiceStreamStart } from './voice-stream.js';
