/** Routes and links of images. */
export { installPhotoLinks } from './links.js';
export { photoRoutes } from './list.js';
