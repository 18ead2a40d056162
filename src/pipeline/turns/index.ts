/** Takes jobs from the queue, users in turn, and runs their steps. */
export { openQueue, type Queue, type RetainedJob, singletonSeconds } from './queue.js';
export { runStep } from './run-step.js';
export { createTableTurns } from './table-turns.js';
export { runWorkers } from './work-runner.js';
