/** The data folder, the release of the program, and the priority of a process. */
export { dataDirectory, packageDirectory } from './data-dir.js';
export {
  backgroundNiceness,
  databaseNiceness,
  longTextNiceness,
  raiseStartedThreads,
  yieldChild,
  yieldProcessor,
  yieldThread,
} from './priority.js';
export { release } from './release.js';
