/** The listener of ws on `node:http`. */
export { createNodeApp } from './app.js';
export { nodeLimits } from './limits.js';
