/** A pool of worker threads that starts with its first task, and a corrected clock for all threads of a process. */
export { correctedClock } from './corrected-clock.js';
export { LazyPool } from './lazy-pool.js';
