/** Statements for uploaded recordings. */
export {
  endOfUnclocked,
  findKnown,
  type IncompleteFile,
  incompleteFiles,
  type RefusedFile,
  recordingChannel,
  storeUpload,
  type UploadedFile,
} from './store-upload.js';
