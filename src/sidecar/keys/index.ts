/** Routes that create, list and revoke keys. */
export { keyRoutes } from './developer-keys.js';
export { mcpKeyRoutes } from './tool-keys.js';
