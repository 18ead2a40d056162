/** Serves the documents below `/.well-known` about tokens, keys and the tool server. */
export { wellKnownRoutes } from './well-known.js';
