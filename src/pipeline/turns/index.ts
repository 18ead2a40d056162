/** Takes jobs from the queue, one user after the other, and runs the jobs' steps. */
export { openQueue, type Queue, type RetainedJob, singletonSeconds } from './queue.js';
export { runStep } from './run-step.js';
export { createTableTurns } from './table-turns.js';
export { runWorkers } from './work-runner.js';
