/**
 * Receives uploaded recordings: admits an upload, writes its files to a folder or a bucket, corrects times of devices
 * without a clock.
 */
export { checkStart, importRecording, storedBytes } from './import-recording.js';
export type { ReceivedRecording } from './receive-recording.js';
export { type ReceivedUpload, type UploadAudio, UploadReceiver } from './receive-upload.js';
export { openRecordingFiles, type RecordingFiles } from './recording-files.js';
export { moveRecordings, openRecordingObjects } from './recording-objects.js';
export {
  checkUploadTarget,
  queueUpload,
  type RecordingStore,
  UploadsUnderWay,
  uploadProgress,
} from './uploads.js';
