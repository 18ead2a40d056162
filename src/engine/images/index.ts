/** Images that clients send on streams: joins their chunks, stores them, reports their descriptions. */
export { createImageKeeper, type ImageKeeper, serveImages } from './channel.js';
export { ClientImages } from './client-images.js';
export { HeldImages, type ImageMemory } from './held-images.js';
export { PhotoWatch } from './photo-watch.js';
export { openImagePool } from './pool.js';
