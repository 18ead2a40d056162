export { type JobsPool, startJobsPool } from './jobs-pool.js';
export { type EnginePool, startEnginePool } from './pool.js';
