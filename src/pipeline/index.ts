export { photoWorkers } from './photos/describe-photos.js';
export { startPipeline } from './pipeline.js';
export type { RecordingWork } from './words/recordings.js';
export { removeAccounts } from './words/removal.js';
export type { RetainedWork } from './words/retained.js';
export { createStepMetrics, type StepMetrics } from './work/step-metrics.js';
