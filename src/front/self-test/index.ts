/** Sends legal requests of every kind to a listener before the engine uses it. */
export { selfTest } from './run-self-test.js';
