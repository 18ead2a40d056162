export { wellKnownRoutes } from './well-known.js';
