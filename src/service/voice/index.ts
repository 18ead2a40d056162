export { type StagedAudio, type StagingOptions, stageFile, stagePcm } from '../../audio/files/index.js';
export { transcribeVoice, type VoiceRequest } from './transcribe-voice.js';
export { VoiceFailure, type VoiceFailureBody, voiceFailureOf } from './voice-failure.js';
export { voiceLanguage } from './voice-language.js';
export type { VoiceWork } from './voice-work.js';
