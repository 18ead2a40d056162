/** Where retained audio, images and recordings are stored: folder or bucket, file names, encryption, unfinished files. */
export { bucketFiles } from './bucket.js';
export { type BucketObjects, bucketObjects, type ObjectWriter } from './bucket-objects.js';
export type { BucketSettings } from './bucket-requests.js';
export { type RetainedCipher, retainedCipher } from './cipher.js';
export {
  ownerOf,
  parseRetainedKey,
  parseRetainedName,
  type RetainedForm,
  retainedBytes,
  retainedKey,
} from './file-format.js';
export { placeOfFolder } from './folder-place.js';
export { lookAhead, packetBytes, packetSamples, packetsOf } from './packets.js';
export { type RetainedFiles, retainedFolder, type StoredFile } from './storage.js';
export { clientErrorOf, isStorageAway } from './storage-away.js';
export { removeUnfinished } from './unfinished-files.js';
export { unreadable } from './unreadable.js';
