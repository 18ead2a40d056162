export { actionItemsOf } from './find-tasks.js';
