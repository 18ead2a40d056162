/** Finds tasks in sentences, with corrections and due times. */
export { actionItemsOf } from './find-tasks.js';
