/** A pool of worker threads that starts with its first task. */
export { LazyPool } from './lazy-pool.js';
