/** Where retained audio and images lie: folder or bucket, names, encryption, files that were not finished. */
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
