/** Starts and replaces the shard threads of an engine. */
export { type ShardHelper, startEnginePool } from './pool.js';
