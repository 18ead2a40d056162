/** Runs the jobs behind finished conversations. */
export { startPipeline } from './pipeline.js';
