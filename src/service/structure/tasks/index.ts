/** Finds tasks in sentences, applies spoken corrections, and determines due times. */
export { actionItemsOf } from './find-tasks.js';
