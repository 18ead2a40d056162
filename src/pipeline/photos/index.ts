/** Descriptions of images, and their part in a summary. */
export { photoWorkers } from './describe-photos.js';
export { photoSummary } from './photo-summary.js';
export { watchDescriptions, watchPhotos } from './watch-photos.js';
