export { cleanTranscript } from './clean-transcript.js';
export { createDiscardProvider } from './discard-provider.js';
export { createLocalProvider } from './local-provider.js';
export { failureCode, isFailure, isRetryable } from './outcomes.js';
export type {
  AudioNeed,
  Outcome,
  Provider,
  ProviderCapabilities,
  ProviderSegment,
  ProviderStream,
  UtteranceRequest,
  UtteranceResult,
} from './provider.js';
export { baseLanguage, selectProvider } from './select-provider.js';
export { startTranscriber, type Transcriber, type TranscriberOptions } from './transcriber.js';
export type { TranscriberState } from './transcriber-messages.js';
