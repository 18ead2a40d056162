/** Knows which engine of a fleet has the newest stream of each key. Each engine knows it for some of the users. */
export { StreamDirectory } from './stream-directory.js';
