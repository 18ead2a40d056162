/** Finds the models that a start needs, and downloads missing ones with the rights of the folder's owner. */
export { checkSpeechModels } from './check-speech-models.js';
export { ensureOwnedModel } from './ensure-owned-model.js';
export { type FurtherFetch, fetchFurtherModels } from './fetch-further.js';
export { fetchModels } from './fetch-models.js';
export { ProgressLine } from './progress-line.js';
export { transcribesHere, wantedModels } from './wanted-models.js';
