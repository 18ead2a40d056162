/** Starts and replaces the shard threads of an engine. */
export { startEnginePool } from './pool.js';
