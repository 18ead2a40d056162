export { cleanTranscript } from './clean-transcript.js';
export { createDiscardProvider } from './discard-provider.js';
export { createLocalProvider } from './local-provider.js';
export { failureCode } from './outcomes.js';
export type { Outcome, Provider, UtteranceRequest, UtteranceResult } from './provider.js';
export { ownersOf, removeRetained } from './retained-removal.js';
export { baseLanguage, selectProvider } from './select-provider.js';
export { startTranscriber, type Transcriber, type TranscriberOptions } from './transcriber.js';
