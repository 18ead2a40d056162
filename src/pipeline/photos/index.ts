/** Describes images, and summarises conversations that have only images. */
export { photoWorkers } from './describe-photos.js';
export { photoSummary } from './photo-summary.js';
export { watchDescriptions, watchPhotos } from './watch-photos.js';
