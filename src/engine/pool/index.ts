export { startEnginePool } from './pool.js';
