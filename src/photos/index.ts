/** Stores the images that clients send, and signs links to their files. */
export { type Keeping, keepPhoto, type PhotoRefusal } from './keep-photo.js';
export { openPhotoFiles, type PhotoFiles, type PhotoSettings } from './photo-files.js';
export { isPhotoLink, type PhotoLink, signPhotoLink } from './photo-link.js';
export { parsePhotoName } from './photo-name.js';
