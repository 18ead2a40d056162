/** Routes of a signed-in user's own data: people, folders, recordings, settings, deletion. */
export { deletionRoutes } from './deletion.js';
export { ownFolderRoutes } from './folders.js';
export { peopleRoutes } from './people.js';
export { chargeRecorded, checkRecordedLeft } from './recorded-audio.js';
export {
  acceptedAnswer,
  acceptedUpload,
  admitUpload,
  errorOf,
  exampleAccepted,
  recordingRoutes,
} from './recordings.js';
export { ownRecordRoutes } from './records.js';
export { reprocessRoutes } from './reprocess.js';
export { sessionRoutes } from './sessions.js';
export { settingsRoutes } from './settings.js';
export { usageRoutes } from './usage.js';
