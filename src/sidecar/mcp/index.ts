/** The tool server: transports, sessions and REST form. */
export { grantRoutes } from './grants.js';
export { assistantProfileRoutes } from './profile.js';
export { assistantRestRoutes } from './rest.js';
export { toolServerRoutes } from './transport.js';
