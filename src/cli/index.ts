export { runHere } from './run-here.js';
