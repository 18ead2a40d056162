/** Describes images and summarises conversations of images. */
export { photoWorkers } from './describe-photos.js';
export { photoSummary } from './photo-summary.js';
export { watchDescriptions, watchPhotos } from './watch-photos.js';
