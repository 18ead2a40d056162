export {
  endOfUnclocked,
  findKnown,
  type KnownRecording,
  type NewRecording,
  type RefusedFile,
  recordingChannel,
  storeUpload,
  type UploadedFile,
} from './store-upload.js';
