export { type EngineLink, type EnginePool, type EnginePoolOptions, startEnginePool } from './pool.js';
