export { BatchRecogniser, type Recogniser } from './providers/batch-recogniser.js';
export { batchServiceOf } from './providers/batch-services.js';
export { createDiscardProvider } from './providers/discard-provider.js';
export { createLocalProvider } from './providers/local-provider.js';
export { ProviderNews } from './providers/news.js';
export { PolicyRecognisers } from './providers/policy-recognisers.js';
export { PolicyTranscription } from './providers/policy-transcription.js';
export { createProviders } from './providers/registry.js';
export { baseLanguage, selectProvider } from './providers/select-provider.js';
export { openArchive, type RetainedArchive, type RetainedEntry } from './retained/archive.js';
export { type RetainedCipher, retainedCipher } from './retained/cipher.js';
export { openRetainedStore } from './retained/open-store.js';
export { ownersOf, removeRetained } from './retained/removal.js';
export { createRetainer, type RetainAudio, serveRetainer } from './retained/retain.js';
export type { RetainedStore } from './retained/store.js';
export {
  connectTranscription,
  type TranscriptionClient,
  type TranscriptionRequest,
  type TranscriptionResult,
} from './service/connect.js';
export { startTranscriber, type Transcriber, type TranscriberOptions } from './service/engine-connection.js';
export { startTranscriptionService, type TranscriptionService } from './service/server.js';
export { cleanTranscript } from './shared/clean-transcript.js';
export { failureCode } from './shared/outcomes.js';
export type {
  Outcome,
  Provider,
  SpeechOrigin,
  UtteranceRequest,
  UtteranceResult,
} from './shared/provider.js';
