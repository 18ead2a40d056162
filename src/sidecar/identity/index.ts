/** Well-known documents about tokens and resources. */
export { wellKnownRoutes } from './well-known.js';
