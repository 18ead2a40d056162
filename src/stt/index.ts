export { BatchRecogniser, type Recogniser } from './batch-recogniser.js';
export { batchServiceOf } from './batch-services.js';
export { cleanTranscript } from './clean-transcript.js';
export { createDiscardProvider } from './discard-provider.js';
export { startTranscriber, type Transcriber, type TranscriberOptions } from './engine-transcriber.js';
export { createLocalProvider } from './local-provider.js';
export { openRetainedStore } from './open-retained-store.js';
export { failureCode } from './outcomes.js';
export { PolicyRecognisers } from './policy-recognisers.js';
export { PolicyTranscription } from './policy-transcription.js';
export type { Outcome, Provider, SpeechOrigin, UtteranceRequest, UtteranceResult } from './provider.js';
export { ProviderNews } from './provider-news.js';
export { createProviders } from './provider-registry.js';
export { createRetainer, type RetainAudio, serveRetainer } from './retain.js';
export { openArchive, type RetainedArchive, type RetainedEntry } from './retained-archive.js';
export { type RetainedCipher, retainedCipher } from './retained-cipher.js';
export { ownersOf, removeRetained } from './retained-removal.js';
export type { RetainedStore } from './retained-store.js';
export { baseLanguage, selectProvider } from './select-provider.js';
export {
  connectTranscription,
  type TranscriptionClient,
  type TranscriptionRequest,
  type TranscriptionResult,
} from './transcription-client.js';
export { startTranscriptionService, type TranscriptionService } from './transcription-service.js';
