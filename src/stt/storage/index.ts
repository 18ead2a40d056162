/** Where retained audio and images are stored: folder or bucket, file names, encryption, unfinished files. */
export { type BucketSettings, retainedBucket } from './bucket.js';
export { type RetainedCipher, retainedCipher } from './cipher.js';
export {
  ownerOf,
  parseRetainedKey,
  parseRetainedName,
  type RetainedForm,
  retainedBytes,
  retainedKey,
} from './file-format.js';
export { lookAhead, packetBytes, packetSamples, packetsOf } from './packets.js';
export { type RetainedFiles, retainedFolder, type StoredFile } from './storage.js';
export { removeUnfinished } from './unfinished-files.js';
export { unreadable } from './unreadable.js';
