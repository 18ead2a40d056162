/** Speech recognition providers, and the selection among them. */
export { BatchRecogniser, type Recogniser } from './batch-recogniser.js';
export { connectOnce, isAudioStream } from './connect-once.js';
export { createDiscardProvider } from './discard-provider.js';
export { ProviderHealth } from './health.js';
export { createLocalProvider } from './local-provider.js';
export { ProviderNews } from './news.js';
export { PolicyRecognisers } from './policy-recognisers.js';
export { PolicyTranscription } from './policy-transcription.js';
export { batchServiceOf, createProviders } from './registry.js';
export { baseLanguage, selectProvider } from './select-provider.js';
export {
  type SpeakerLanguages,
  speakerLanguages,
  type UserLanguages,
} from './speaker-languages.js';
