/** Routes that create, list and revoke keys, and explain their scopes. */
export { keyRoutes } from './developer-keys.js';
export { keyScopeRoute } from './key-scopes.js';
export { mcpKeyRoutes } from './tool-keys.js';
