export { type Pipeline, type PipelineOptions, startPipeline } from './pipeline.js';
export { type Processed, processConversation } from './process.js';
