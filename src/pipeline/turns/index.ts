/** The queue of jobs, with users in turn. */
export { openQueue, type Queue, type RetainedJob, singletonSeconds } from './queue.js';
export { runStep } from './run-step.js';
export { createTableTurns } from './table-turns.js';
export { labour } from './work-runner.js';
