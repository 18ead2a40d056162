/** Checks of `cochlea doctor` that have a file of their own. */
export {
  describeDataFolder,
  describeFreeSpace,
  describeFutureDatabase,
  findDataFolder,
} from './inspect-data-folder.js';
