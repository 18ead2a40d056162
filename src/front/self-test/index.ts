export { selfTest } from './run-self-test.js';
