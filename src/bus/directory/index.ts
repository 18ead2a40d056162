/** Which engine of a fleet has the newest stream of each key. The engines share this work by user. */
export { StreamDirectory } from './stream-directory.js';
