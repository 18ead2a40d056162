/** Asks a listener every legal form of request before its port opens. */
export { selfTest } from './run-self-test.js';
