/** Runs the jobs that process finished conversations. */
export type { PipelineOptions } from './parts.js';
export { startPipeline } from './pipeline.js';
