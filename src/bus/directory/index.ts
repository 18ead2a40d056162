/**
 * Finds out which engine of a fleet has the newest stream of each conversation key. Each engine does this for some of
 * the users.
 */
export { StreamDirectory } from './stream-directory.js';
