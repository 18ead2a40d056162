export { type StagedAudio, type StagingOptions, stageFile, stagePcm } from '../../audio/files/index.js';
export type { EnrolmentWork } from './enrolment-work.js';
export {
  checkVoicesAllowed,
  deleteSpeechProfile,
  enrolSpeech,
  findSpeechProfile,
  type SpeechProfile,
} from './speech-profile.js';
export { transcribeVoice, type VoiceRequest } from './transcribe-voice.js';
export { VoiceFailure, type VoiceFailureBody, voiceFailureOf } from './voice-failure.js';
export { voiceLanguage } from './voice-language.js';
export type { VoiceWork } from './voice-work.js';
