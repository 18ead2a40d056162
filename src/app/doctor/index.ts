/** Checks of `cochlea doctor`: the data folder, a trial load of the audio core. */
export {
  describeDataFolder,
  describeFreeSpace,
  describeFutureDatabase,
  findDataFolder,
} from './inspect-data-folder.js';
