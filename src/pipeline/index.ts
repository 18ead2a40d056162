export { photoWorkers } from './describe-photos.js';
export { startPipeline } from './pipeline.js';
export type { RecordingWork } from './recordings.js';
export { removeAccounts } from './removal.js';
export type { RetainedWork } from './retained.js';
export { createStepMetrics, type StepMetrics } from './step-metrics.js';
