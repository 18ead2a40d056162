/** Data folder, release and niceness of the process, and keys in files. */
export { dataDirectory, packageDirectory } from './data-dir.js';
export { databaseNiceness, raiseStartedThreads, yieldProcessor, yieldThread } from './priority.js';
export { readKey } from './read-key.js';
export { release } from './release.js';
