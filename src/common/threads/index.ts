/** Pools of worker threads for work outside the calling thread. */
export { LazyPool } from './lazy-pool.js';
