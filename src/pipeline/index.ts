/** Runs the jobs behind finished conversations. */
export type { PipelineOptions } from './parts.js';
export { startPipeline } from './pipeline.js';
