/** Takes jobs from the queue and runs their steps. Users take turns. */
export { openQueue, type Queue, type RetainedJob, singletonSeconds } from './queue.js';
export { runStep } from './run-step.js';
export { createTableTurns } from './table-turns.js';
export { runWorkers } from './work-runner.js';
