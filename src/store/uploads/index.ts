export {
  endOfUnclocked,
  findKnown,
  type IncompleteFile,
  incompleteFiles,
  type KnownRecording,
  type NewRecording,
  type RefusedFile,
  recordingChannel,
  storeUpload,
  type UploadedFile,
} from './store-upload.js';
