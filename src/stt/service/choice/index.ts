/** Choices of the transcription service that depend on its queue: the model of a request, and the silence that ends utterances. */
export { isStored, type LocalModels, ModelChoice } from './model-choice.js';
export { SilenceChoice } from './silence-choice.js';
