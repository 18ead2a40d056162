/** Sends every legal form of request to a listener before its port opens. */
export { selfTest } from './run-self-test.js';
