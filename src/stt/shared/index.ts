/** Types and rules that all transcription modules use: provider, errors, outcomes, queue, word times. */
export { audioForm } from './audio-form.js';
export { cleanTranscript } from './clean-transcript.js';
export { cutAudio, longestPiece, sampleRate, transferable } from './cut-audio.js';
export type {
  ChildAnswer,
  ChildRequest,
  Decoded,
  DecoderInput,
  PortAnswer,
  PortRequest,
  TranscriberState,
} from './decoder-messages.js';
export { type EarlierTexts, probableTokens } from './earlier-texts.js';
export { FairQueue, type Queueable, type QueueBounds } from './fair-queue.js';
export { atLeast, providerRate, queueBytes, streamAddress } from './hosted.js';
export { failureCode, type Outcome } from './outcomes.js';
export type {
  AudioStream,
  Provider,
  ProviderEvent,
  ProviderStream,
  ProviderWords,
  SpeechOrigin,
  StreamRequest,
  UtteranceProvider,
  UtteranceRequest,
  UtteranceResult,
  UtteranceStream,
} from './provider.js';
export { type DeathReason, outcomeOfDeath, ProviderError, reasonOfDeath } from './provider-error.js';
export {
  detection,
  joinedLanguages,
  knowsLanguage,
  type LanguageShares,
  likeliestOf,
  modelLanguage,
  type SpokenLanguages,
  sharesAmong,
  type WeightedLanguages,
} from './spoken-languages.js';
export {
  resultOf,
  type TranscriptionClient,
  type TranscriptionPriority,
  type TranscriptionRequest,
  type TranscriptionResult,
  transcriptionPriorities,
} from './transcription-request.js';
export {
  offsetOf,
  type TimedTokens,
  timedWords,
  timesOfText,
  type WordTime,
  wordsOfTokens,
} from './word-times.js';
