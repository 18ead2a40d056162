export {
  describeDataFolder,
  describeFreeSpace,
  describeFutureDatabase,
  findDataFolder,
} from './inspect-data-folder.js';
