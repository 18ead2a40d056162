/** Models needed by a start, and their download with the rights of their owner. */
export { ensureOwnedModel } from './ensure-owned-model.js';
export { type FurtherFetch, fetchFurtherModels } from './fetch-further.js';
export { fetchModels } from './fetch-models.js';
export { ProgressLine } from './progress-line.js';
export { transcribesHere, wantedModels } from './wanted-models.js';
