/** Data folder, release and niceness of the process. */
export { dataDirectory, packageDirectory } from './data-dir.js';
export { databaseNiceness, raiseStartedThreads, yieldProcessor, yieldThread } from './priority.js';
export { release } from './release.js';
