export { type JobsPool, type JobsPoolOptions, startJobsPool } from './jobs-pool.js';
export { type EngineLink, type EnginePool, type EnginePoolOptions, startEnginePool } from './pool.js';
