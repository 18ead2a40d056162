export { startPipeline } from './pipeline.js';
export { removeAccounts } from './removal.js';
