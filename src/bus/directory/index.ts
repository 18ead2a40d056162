/**
 * Finds the engine of a fleet that has the newest stream of a key. Each engine keeps the newest streams of some of the
 * users.
 */
export { StreamDirectory } from './stream-directory.js';
