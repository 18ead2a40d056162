export { startPipeline } from './pipeline.js';
export { removeAccounts } from './removal.js';
export { createStepMetrics, type StepMetrics } from './step-metrics.js';
