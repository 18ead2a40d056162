export { ensureOwnedModel } from './ensure-owned-model.js';
export { fetchModels } from './fetch-models.js';
export { ProgressLine } from './progress-line.js';
export { wantedModels } from './wanted-models.js';
