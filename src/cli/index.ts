/** Runs `cochlea-user` in this process. */
export { runHere } from './run-here.js';
