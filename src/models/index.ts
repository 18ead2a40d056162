export { findModel, type ModelFiles, modelFiles, modelsDirectory } from './directory.js';
export { ensureModel, type ModelOptions, type ModelProgress, modelOptions } from './ensure.js';
export { inferenceRuntime, openInferenceSession } from './inference-session.js';
export { listModels, requiredModels } from './list.js';
export { type ModelEntry, type ModelSource, manifest, manifestSchema } from './manifest.js';
export { SentenceEncoder, type SentenceModel, sentenceModel } from './sentence-encoder.js';
export { SpeakerEncoder } from './speaker-encoder.js';
export {
  averageEmbedding,
  speakerModel,
  speechGain,
} from './speaker-model.js';
export { endOfText, whisperTokens } from './tokens.js';
export { requireModel, verifyModel } from './verify.js';
