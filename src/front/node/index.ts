/** The listener that uses the library ws on `node:http`. */
export { createNodeApp } from './app.js';
export { nodeLimits } from './limits.js';
