export { startPipeline } from './pipeline.js';
