export { installPhotoLinks } from './links.js';
export { photoRoutes } from './list.js';
