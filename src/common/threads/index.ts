/**
 * A pool of worker threads that starts with its first task, a flag that cancels a task, and a corrected clock for all
 * threads of a process.
 */
export { correctedClock } from './corrected-clock.js';
export { LazyPool } from './lazy-pool.js';
export { type StopFlag, stopFlag } from './stop-flag.js';
