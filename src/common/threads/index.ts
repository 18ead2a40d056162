/** Pools of threads for work beside that of the thread that asks. */
export { LazyPool } from './lazy-pool.js';
