export { createNodeApp } from './app.js';
export { nodeLimits } from './limits.js';
