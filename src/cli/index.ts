/** Starts `cochlea-user`: its program and its run. */
export { runHere } from './run-here.js';
