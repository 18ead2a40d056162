/** Routes that list images and serve them by signed links. */
export { installPhotoLinks } from './links.js';
export { photoRoutes } from './list.js';
