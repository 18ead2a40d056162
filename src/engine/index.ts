export { type JobsPool, type JobsPoolOptions, startJobsPool } from './jobs-pool.js';
export { type EnginePool, type EnginePoolOptions, startEnginePool } from './pool.js';
export type { EngineLink } from './shard-place.js';
