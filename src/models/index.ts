export { findModel, type ModelFiles, modelFiles, modelsDirectory, recogniserConfig } from './directory.js';
export { ensureModel, type ModelOptions, type ModelProgress, modelOptions } from './ensure.js';
export { listModels, type ModelSummary, requiredModels } from './list.js';
export { type ModelEntry, type ModelFile, type ModelSource, manifest, manifestSchema } from './manifest.js';
export { SpeakerEncoder } from './speaker-encoder.js';
export {
  averageEmbedding,
  cutPartials,
  partialCount,
  partialSpan,
  type SpeakerFrontEnd,
  type SpeakerModel,
  speakerModel,
  speechGain,
} from './speaker-model.js';
export { type FileState, requireModel, type VerifiedFile, verifyModel } from './verify.js';
