/** Descriptions of images, and their part in a summary. */
export { describeNextPhoto, photoWorkers } from './describe-photos.js';
export { type PhotoContext, removeAbandonedPhotos, removePhotoFiles } from './photo-files.js';
export { photoSummary } from './photo-summary.js';
