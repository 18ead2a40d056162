/**
 * Receives uploaded recordings: admits an upload, writes its files to disk, corrects times of devices without a
 * clock.
 */
export { type ReceivedUpload, UploadReceiver } from './receive-upload.js';
export { openRecordingFiles, type RecordingFiles } from './recording-files.js';
export {
  checkUploadTarget,
  queueUpload,
  type RecordingStore,
  UploadsUnderWay,
  uploadProgress,
} from './uploads.js';
