/** Transcribes voice messages, and computes voice profiles from recordings of a user. */
export type { FramedAudio } from './decoded-parts.js';
export type { EnrolmentWork } from './enrolment-work.js';
export { checkVoicesAllowed, deleteSpeechProfile, enrolSpeech, findSpeechProfile } from './speech-profile.js';
export { type SpokenUtterance, transcribeStream } from './transcribe-stream.js';
export { transcribeVoice } from './transcribe-voice.js';
export type { ServedUtterance } from './utterance-text.js';
export { VoiceFailure, type VoiceFailureBody, voiceFailureOf } from './voice-failure.js';
export { voiceKeywords } from './voice-keywords.js';
export { DetectedLanguages, type VoiceLanguage, voiceLanguage } from './voice-language.js';
export type { VoiceWork } from './voice-work.js';
