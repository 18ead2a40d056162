/** Machine learning models: download, verification, and runs with onnxruntime. */
export { findModel, type ModelFiles, modelsDirectory } from './directory.js';
export { ensureModel, type ModelOptions, type ModelProgress, modelOptions } from './ensure.js';
export { inferenceRuntime, openInferenceSession } from './inference-session.js';
export { type InstalledModels, installedModels } from './installed.js';
export { listModels, type ModelSummary, requiredModels, summaryOf } from './list.js';
export { SentenceEncoder, sentenceModel } from './sentence-encoder.js';
export { SpeakerEncoder } from './speaker-encoder.js';
export {
  averageEmbedding,
  type SpeakerFrontEnd,
  speakerModel,
  speechGain,
  voiceModel,
} from './speaker-model.js';
export { whisperTokens } from './tokens.js';
export { requireModel, verifyModel } from './verify.js';
