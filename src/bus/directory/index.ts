/**
 * Finds out which engine of a fleet has the newest stream of a key. Each engine stores this for a part of the users.
 */
export { StreamDirectory } from './stream-directory.js';
