/** Checks of `cochlea doctor` for the data folder and the audio core, which it loads in a trial process. */
export {
  describeDataFolder,
  describeFreeSpace,
  describeFutureDatabase,
  findDataFolder,
} from './inspect-data-folder.js';
