/** Well-known documents of tokens and resources. */
export { wellKnownRoutes } from './well-known.js';
