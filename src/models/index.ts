/** Machine learning models: manifest, download, verification, inference. */
export { findModel, type ModelFiles, modelsDirectory } from './directory.js';
export { ensureModel, type ModelOptions, type ModelProgress, modelOptions } from './ensure.js';
export { inferenceRuntime, openInferenceSession } from './inference-session.js';
export { listModels, requiredModels } from './list.js';
export { type ModelEntry, manifest } from './manifest.js';
export { SentenceEncoder, sentenceModel } from './sentence-encoder.js';
export { SpeakerEncoder } from './speaker-encoder.js';
export {
  averageEmbedding,
  type SpeakerFrontEnd,
  speakerModel,
  speechGain,
  voiceModel,
} from './speaker-model.js';
export { endOfText, whisperTokens } from './tokens.js';
export { requireModel, verifyModel } from './verify.js';
