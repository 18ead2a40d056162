/** Sends about 700 legal requests to a listener before the engine uses it, and checks every answer. */
export { selfTest } from './run-self-test.js';
